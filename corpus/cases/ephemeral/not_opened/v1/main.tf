variable "given" {
  type = any
}

ephemeral "simcloud_token" "t" {
  name = var.given.name

  lifecycle {
    precondition {
      condition     = var.given.ok
      error_message = "Not to be opened."
    }
  }
}

ephemeral "simcloud_token" "other" {
  name = "other"
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = ephemeral.simcloud_token.t.token
}

resource "simcloud_write_only" "y" {
  name   = "y"
  secret = ephemeral.simcloud_token.other.token
}
