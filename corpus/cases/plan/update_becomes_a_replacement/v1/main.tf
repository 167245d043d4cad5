resource "simcloud_replaced" "reader" {
  name  = "reader"
  value = file("note.txt")
  label = "1"
}
