ephemeral "simcloud_token" "t" {
  name = "t"
}

resource "simcloud_write_only" "x" {
  name           = "x"
  secret         = ephemeral.simcloud_token.t.token
  secret_version = 1
}

resource "sim_thing" "bad" {
  name = "bad"
}
