resource "simcloud_normalised" "x" {
  name = "x"
  text = " One "
  tags = ["b", "a"]
}
