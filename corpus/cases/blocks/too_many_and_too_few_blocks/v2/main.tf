resource "simcloud_updated" "x" {
  name = "x"
}

resource "simcloud_block_limited" "two" {
  name = "two"

  part {
    key = "a"
  }

  part {
    key = "b"
  }
}

resource "simcloud_block_limited" "later" {
  name = "later"

  part {
    key = "a"
  }

  dynamic "part" {
    for_each = [for word in split("-", simcloud_updated.x.id) : word if word == "1"]

    content {
      key = part.value
    }
  }

  dynamic "part" {
    for_each = [for word in split("-", simcloud_updated.x.id) : word if word == "none"]

    content {}
  }
}
