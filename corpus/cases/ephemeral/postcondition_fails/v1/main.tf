ephemeral "simcloud_token" "t" {
  name = "t"

  lifecycle {
    postcondition {
      condition     = self.token == "another"
      error_message = "Not the token that was asked for."
    }
  }
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = ephemeral.simcloud_token.t.token
}
