resource "simcloud_block_limited" "none" {
  name = "none"
}

resource "simcloud_block_limited" "three" {
  name = "three"

  part {
    key = "a"
  }

  part {
    key = "b"
  }

  part {
    key = "c"
  }
}

resource "simcloud_block_single" "two" {
  name = "two"

  part {
    key = "a"
  }

  part {
    key = "b"
  }
}
