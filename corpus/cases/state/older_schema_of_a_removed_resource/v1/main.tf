resource "simcloud_upgraded" "kept" {
  name     = "kept"
  capacity = 5
}
