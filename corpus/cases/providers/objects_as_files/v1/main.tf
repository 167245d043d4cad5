terraform {
  required_providers {
    tfcoremock = {
      source  = "hashicorp/tfcoremock"
      version = "0.1.1"
    }
  }
}

resource "tfcoremock_simple_resource" "kept" {
  id     = "harbour"
  string = "open"
}

resource "tfcoremock_simple_resource" "user" {
  string = tfcoremock_simple_resource.kept.string
  number = 2.5
}

resource "tfcoremock_complex_resource" "lost" {
  id   = "crane"
  list = [{ string = "jib" }, { set = [{ integer = 7 }] }]
  map = {
    motor = { bool = true }
  }

  list_block {
    string = jsonencode({ reach = 40 })
  }

  set_block {
    string = "hook"
  }
}
