resource "simcloud_block_set" "x" {
  name = "x"

  part {
    key    = "d"
    amount = 4
  }

  part {
    key    = "b"
    amount = 2
  }

  part {
    key    = "a"
    amount = 1
  }
}
