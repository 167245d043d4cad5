ephemeral "simcloud_token" "t" {
  for_each = toset(["a", "b"])
  name     = each.key
}

resource "simcloud_write_only" "x" {
  name   = "x"
  secret = ephemeral.simcloud_token.t["b"].token
}
