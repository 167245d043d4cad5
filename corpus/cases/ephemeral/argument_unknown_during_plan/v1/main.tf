resource "simcloud_updated" "a" {
  name = "a"
}

ephemeral "simcloud_token" "t" {
  name = simcloud_updated.a.id
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = ephemeral.simcloud_token.t.token
}
