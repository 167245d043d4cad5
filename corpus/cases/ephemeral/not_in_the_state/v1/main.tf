ephemeral "simcloud_token" "t" {
  name = "t"
}

provider "simcloud" {
  alias  = "with_token"
  region = "r"
  token  = ephemeral.simcloud_token.t.token
}

resource "simcloud_updated" "x" {
  provider = simcloud.with_token
  name     = "x"
}
