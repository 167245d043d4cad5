provider "simcloud" {
  alias = "other"
}

ephemeral "simcloud_token" "t" {
  name     = "t"
  lifetime = 10
}

resource "simcloud_write_only" "x" {
  provider = simcloud.other

  name   = "x"
  secret = ephemeral.simcloud_token.t.token
}
