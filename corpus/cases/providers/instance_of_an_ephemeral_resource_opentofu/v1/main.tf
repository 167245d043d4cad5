provider "simcloud" {
  alias    = "by"
  for_each = toset(["north", "south"])
  region   = each.key
}

ephemeral "simcloud_token" "s" {
  for_each = toset(["north", "south"])
  provider = simcloud.by[each.key]

  name = "s-${each.key}"
}

resource "simcloud_write_only" "w" {
  for_each = toset(["north", "south"])
  provider = simcloud.by[each.key]

  name   = "w"
  secret = ephemeral.simcloud_token.s[each.key].token
}
