resource "simcloud_nested_single" "object" {
  name = "object"
  part = { key = "2" }

  lifecycle {
    ignore_changes = all
  }
}

resource "simcloud_nested_list" "list" {
  name = "list"
  part = [{ key = "2" }]

  lifecycle {
    ignore_changes = all
  }
}

resource "simcloud_nested_single" "none" {
  name = "none"
  part = { key = "2" }

  lifecycle {
    ignore_changes = all
  }
}

resource "simcloud_block_single" "block" {
  name = "block"

  part {
    key = "2"
  }

  lifecycle {
    ignore_changes = all
  }
}
