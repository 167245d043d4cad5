resource "terraform_data" "x" {
  input = "b"
}

resource "terraform_data" "z" {
  input = "a"
}

resource "terraform_data" "y" {
}

import {
  to       = terraform_data.y
  identity = { id = "y" }
}
