resource "simcloud_updated" "c" {
  name = "c"
}
