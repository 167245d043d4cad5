terraform {
  required_providers {
    tfcoremock = { source = "hashicorp/tfcoremock" }
  }
}

resource "tfcoremock_shelf" "novels" {
  id    = "novels"
  books = [{ title = "North", pages = 120 }, { title = "South" }]

  board {
    wood = "oak"
  }

  board {
    wood = "ash"
  }
}

resource "tfcoremock_simple_resource" "note" {
  string = tfcoremock_shelf.novels.label
}
