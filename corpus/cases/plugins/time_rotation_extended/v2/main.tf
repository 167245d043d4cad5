terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_rotating" "key" {
  rfc3339        = "2026-01-01T00:00:00Z"
  rotation_years = 60
}

resource "terraform_data" "key" {
  input = time_rotating.key.rotation_rfc3339
}
