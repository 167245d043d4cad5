variable "v" {
  type = string
}

variable "w" {
  type = string
}

ephemeral "simcloud_token" "door" {
  name     = "door"
  lifetime = 10
}

provider "simcloud" {
  alias = "slow"

  region = "slow"
  token  = ephemeral.simcloud_token.door.token
}

resource "simcloud_updated" "changed" {
  provider = simcloud.slow

  name  = "changed"
  value = var.v
}

resource "simcloud_replaced" "replaced" {
  provider = simcloud.slow

  name  = "replaced"
  value = var.v
}

resource "simcloud_replaced" "deposing" {
  provider = simcloud.slow

  name  = "deposing"
  value = var.w

  lifecycle {
    create_before_destroy = true
  }
}
