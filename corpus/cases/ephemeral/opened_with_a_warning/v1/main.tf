ephemeral "simcloud_token" "t" {
  name = "t"

  lifecycle {
    postcondition {
      condition     = self.token != ""
      error_message = "The token is ${self.token}."
    }
  }
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = ephemeral.simcloud_token.t.token
}
