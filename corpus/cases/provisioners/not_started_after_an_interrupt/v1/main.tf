ephemeral "simcloud_token" "door" {
  name     = "door"
  lifetime = 10
}

provider "simcloud" {
  alias = "guarded"

  token = ephemeral.simcloud_token.door.token
}

resource "simcloud_updated" "a" {
  provider = simcloud.guarded

  name = "a"

  provisioner "local-exec" {
    command = "echo made"
  }
}
