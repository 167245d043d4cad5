variable "list" {
  type    = list(string)
  default = ["a"]
}

resource "simcloud_block_list" "x" {
  name = var.list

  part {
    key    = { a = 1 }
    amount = "many"
  }

  dynamic "part" {
    for_each = ["1", "two"]

    content {
      amount = part.value
    }
  }
}

resource "simcloud_nested_list" "x" {
  name = "x"
  part = [{ key = "a" }, { amount = "many" }]
}

resource "simcloud_nested_map" "x" {
  name = "y"
  part = { a = { key = "a", other = 1 }, b = 1 }
}
