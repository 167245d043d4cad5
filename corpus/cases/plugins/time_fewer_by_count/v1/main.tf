terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "time_sleep" "pause" {
  count           = 3
  create_duration = "${count.index + 1}ms"
}

resource "terraform_data" "all" {
  input = time_sleep.pause[*].create_duration
}
