resource "simcloud_block_set" "x" {
  name = "x"

  part {
    key    = "a"
    amount = 1
  }

  part {
    key    = "b"
    amount = 2
  }

  part {
    key    = "d"
    amount = 4
  }
}
