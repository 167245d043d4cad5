terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "terraform_data" "text" {
  input = "noon"
}

resource "time_static" "nonsense" {
  rfc3339 = terraform_data.text.output
}

resource "time_static" "independent" {
  rfc3339 = "2026-02-27T12:00:00Z"
}
