resource "simcloud_replaced_by_several" "a" {
  name   = "a"
  labels = { kept = "1" }

  lifecycle {
    ignore_changes = [labels["extra"]]
  }
}
