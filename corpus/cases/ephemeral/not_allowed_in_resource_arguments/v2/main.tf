variable "secret" {
  type      = string
  ephemeral = true
}

resource "simcloud_block_set" "a" {
  name = "a"

  part {
    key = var.secret
  }
}

resource "simcloud_nested_set" "b" {
  name = "b"
  part = [{ key = var.secret }]
}

resource "simcloud_block_list" "c" {
  name = "c"

  dynamic "part" {
    for_each = [var.secret]

    content {
      key = part.value
    }
  }
}
