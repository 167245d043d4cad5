terraform {
  required_providers {
    http = {
      source  = "hashicorp/http"
      version = ">= 1.0"
    }
  }
}

data "http" "health" {
  url = "https://example.com/health"
  lifecycle {
    postcondition {
      condition     = contains(split("", self.response_body), "h") || self.status_code != 0
      error_message = "The service is not healthy."
    }
  }
}

output "body" {
  value = data.http.health.response_body
}
