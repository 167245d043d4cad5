resource "simcloud_normalised" "x" {
  name = "x"
  text = "ONE"
  tags = ["a", "b"]
}
