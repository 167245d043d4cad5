resource "simcloud_overcautious" "x" {
  name  = "x"
  value = "1"
  label = "b"
}
