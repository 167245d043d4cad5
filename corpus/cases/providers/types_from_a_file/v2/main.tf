terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_shelf" "novels" {
  id    = "novels"
  books = [{ title = "North", pages = 130 }, { title = "East" }]

  board {
    wood = "oak"
  }

  board {
    wood = "elm"
  }
}

resource "tfcoremock_simple_resource" "note" {
  string = tfcoremock_shelf.novels.label
}
