resource "simcloud_block_map" "x" {
  name = "x"

  part "one" {
    key = "a"
  }

  part "two" {
    key = "b"
  }
}
