terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

import {
  to = random_id.server
  id = "srv-,p-9hUg"
}

resource "random_id" "server" {
  byte_length = 4
  prefix      = "srv-"
}

import {
  to = random_integer.port
  id = "8042,8000,8099,seed"
}

resource "random_integer" "port" {
  min  = 8000
  max  = 8099
  seed = "seed"
}

import {
  to = random_uuid.request
  id = "aabbccdd-eeff-0011-2233-445566778899"
}

resource "random_uuid" "request" {}

import {
  to = random_string.token
  id = "dark-horse"
}

resource "random_string" "token" {
  length = 10
}
