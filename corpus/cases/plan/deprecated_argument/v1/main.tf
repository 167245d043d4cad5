resource "simcloud_deprecated" "x" {
  name      = "x"
  old_value = "1"

  old_part {
    key = "k"
  }
}
