resource "simcloud_block_map" "x" {
  name = "x"

  part "two" {
    key = "c"
  }

  part "two" {
    key = "d"
  }
}
