resource "simcloud_upgraded" "x" {
  name     = "x"
  capacity = 10
}
