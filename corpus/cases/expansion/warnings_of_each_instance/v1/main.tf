resource "simcloud_deprecated" "x" {
  count     = length(["a", "b"])
  name      = "x${count.index}"
  old_value = "1"
}
