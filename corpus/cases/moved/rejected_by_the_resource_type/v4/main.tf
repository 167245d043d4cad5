resource "simcloud_updated" "a" {
  name = "a"
}

resource "simcloud_renamed" "b" {
  name = "b"
}

moved {
  from = simcloud_updated.b
  to   = simcloud_renamed.b
}
