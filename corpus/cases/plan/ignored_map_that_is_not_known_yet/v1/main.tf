resource "simcloud_replaced_by_several" "x" {
  name   = "x"
  labels = { a = "1" }

  lifecycle {
    ignore_changes = [labels]
  }
}
