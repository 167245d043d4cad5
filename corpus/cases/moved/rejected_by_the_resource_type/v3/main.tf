resource "simcloud_replaced" "a" {
  name = "a"
}

resource "simcloud_updated" "b" {
  name = "b"
}

moved {
  from = simcloud_updated.a
  to   = simcloud_replaced.a
}
