terraform {
  required_providers {
    sim      = { source = "dh.test/diffharness/sim" }
    simcloud = { source = "dh.test/diffharness/simcloud" }
  }
}

provider "simcloud" {
  alias  = "west"
  region = "west"
}

# Tokens come from a process of their own, which lives on when another one dies.
provider "simcloud" {
  alias  = "vault"
  region = "vault"
}

data "simcloud_pure" "image" {
  name = "image-v1"
}

ephemeral "simcloud_token" "login" {
  provider = simcloud.vault
  name     = "login"
}

# Replaced with its children: they have to go before it, and to come after it.
resource "simcloud_parent" "network" {
  name  = "network"
  value = "v1"
}

resource "simcloud_child" "subnet" {
  count  = 2
  name   = "subnet-${count.index}"
  parent = simcloud_parent.network.id
}

# Updated in place, with what is only known once its dependencies are there.
resource "simcloud_updated" "machine" {
  name  = "machine"
  value = join(",", simcloud_child.subnet[*].id)
}

# Replaced, created first, and an update of what depends on it.
resource "simcloud_replaced" "disk" {
  name  = "disk"
  value = data.simcloud_pure.image.result

  lifecycle {
    create_before_destroy = true
  }
}

resource "simcloud_defaulted" "volume" {
  name   = "volume"
  labels = { disk = simcloud_replaced.disk.id }
}

# Replaced, destroyed first, with private data.
resource "simcloud_private" "key" {
  name     = "key"
  value    = simcloud_updated.machine.id
  replaced = "v1"
}

resource "simcloud_write_only" "account" {
  name           = "account"
  secret         = ephemeral.simcloud_token.login.token
  secret_version = 1
}

resource "sim_thing" "record" {
  name  = "record"
  value = simcloud_defaulted.volume.id
  auto  = "v1"

  item {
    key    = simcloud_private.key.id
    amount = 1
  }
}

# In v2 another one stands here, in a cloud of its own.
resource "simcloud_updated" "old" {
  provider = simcloud.west
  name     = "old"
  value    = simcloud_write_only.account.fingerprint
}

output "record" {
  value = sim_thing.record.id
}
