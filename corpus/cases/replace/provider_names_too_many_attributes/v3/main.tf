resource "simcloud_overcautious" "x" {
  name  = "x"
  value = "2"
  label = "b"
}
