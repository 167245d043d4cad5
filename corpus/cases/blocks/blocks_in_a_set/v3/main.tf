resource "simcloud_block_set" "x" {
  name = "x"

  part {
    key    = "d"
    amount = 4
  }

  part {
    key    = "b"
    amount = 20
  }

  part {
    key    = "0"
    amount = 0
  }
}
