terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

removed {
  from = random_uuid4.forgotten
  lifecycle {
    destroy = false
  }
}
