terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_static" "release" {
  triggers = { version = "2" }
}

resource "terraform_data" "deployed" {
  input            = time_static.release.unix
  triggers_replace = time_static.release.rfc3339
}

output "released" {
  value = time_static.release.rfc3339
}
