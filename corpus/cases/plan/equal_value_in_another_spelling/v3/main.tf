resource "simcloud_normalised" "x" {
  name = "x"
  text = "ONE"
  tags = ["b", "c", "a"]
}
