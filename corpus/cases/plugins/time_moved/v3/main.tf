terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

removed {
  from = time_static.month

  lifecycle {
    destroy = false
  }
}
