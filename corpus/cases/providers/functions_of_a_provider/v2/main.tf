resource "simcloud_updated" "x" {
  name  = "x"
  value = provider::simcloud::fail("out of order")
}
