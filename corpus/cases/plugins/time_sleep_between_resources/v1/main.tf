terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "terraform_data" "before" {
  input = "a"
}

resource "time_sleep" "pause" {
  create_duration  = "20ms"
  destroy_duration = "10ms"
  triggers         = { before = terraform_data.before.output }
}

resource "terraform_data" "after" {
  input = time_sleep.pause.triggers["before"]
}
