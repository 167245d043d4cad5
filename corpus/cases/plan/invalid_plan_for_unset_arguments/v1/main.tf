resource "simcloud_updated" "unset" {
  name = "unset"
}

resource "simcloud_updated" "set" {
  name  = "set"
  value = "one"
}

resource "simcloud_block_list" "nothing" {
  name = "nothing"

  part {}
}
