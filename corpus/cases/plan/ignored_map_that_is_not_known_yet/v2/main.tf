resource "simcloud_replaced_by_several" "x" {
  name   = "x"
  labels = simcloud_computed.c.map

  lifecycle {
    ignore_changes = [labels]
  }
}

resource "simcloud_computed" "c" {
  name = "c"
}
