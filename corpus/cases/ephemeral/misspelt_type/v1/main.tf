ephemeral "simcloud_tokem" "t" {
  name = "t"
}

ephemeral "simcloud_updated" "u" {
  name = "u"
}

resource "simcloud_token" "t" {
  name = "t"
}

data "simcloud_purr" "p" {
  name = "p"
}
