terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_rotating" "expired" {
  rfc3339       = "2020-01-01T00:00:00Z"
  rotation_days = 1
}

resource "terraform_data" "user" {
  input = time_rotating.expired.id
}
