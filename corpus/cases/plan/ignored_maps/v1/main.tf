variable "whole" {
  type = map(string)
}

variable "keyed" {
  type    = map(string)
  default = null
}

variable "nested" {
  type = map(object({ x = string, y = string }))
}

variable "never" {
  type    = map(string)
  default = null
}

resource "terraform_data" "a" {
  input = {
    whole  = var.whole
    keyed  = var.keyed
    nested = var.nested
    never  = var.never
  }

  lifecycle {
    ignore_changes = [input.whole, input.keyed["k"], input.nested["k"].x, input.never["k"], input.never.k.x]
  }
}
