variable "key" {
  type = string
}

ephemeral "simcloud_token" "t" {
  name = var.key
}

resource "simcloud_write_only" "x" {
  name           = var.key
  secret         = ephemeral.simcloud_token.t.token
  secret_version = 1
}
