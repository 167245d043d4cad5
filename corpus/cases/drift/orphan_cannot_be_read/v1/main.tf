resource "simcloud_updated" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name  = "b"
  value = simcloud_updated.a.id
}
