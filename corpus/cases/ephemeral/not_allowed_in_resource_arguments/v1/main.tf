variable "secret" {
  type      = string
  ephemeral = true
}

resource "simcloud_nested_single" "a" {
  name = "a"
  part = { key = var.secret }
}

resource "simcloud_nested_list" "b" {
  name = "b"
  part = [{ key = "x" }, { key = var.secret }]
}

resource "simcloud_nested_map" "c" {
  name = "c"
  part = { x = { key = var.secret } }
}

resource "simcloud_block_list" "d" {
  name = "d"

  part {
    key = var.secret
  }
}

resource "simcloud_objects" "f" {
  name = "f"
  map  = { x = { key = var.secret, amount = 1 } }
}

resource "simcloud_write_only" "g" {
  name   = "g"
  secret = var.secret

  login {
    user     = var.secret
    password = var.secret
  }
}

resource "simcloud_nested_list" "h" {
  name = "h"
  part = var.secret == "" ? [] : [{ key = "x" }]
}
