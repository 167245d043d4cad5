terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_id.server
  id = "not base64!"
}

resource "random_id" "server" {
  byte_length = 4
}

import {
  to = random_integer.port
  id = "1,2"
}

resource "random_integer" "port" {
  min = 1
  max = 2
}
