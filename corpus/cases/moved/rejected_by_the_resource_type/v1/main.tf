resource "simcloud_updated" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name = "b"
}
