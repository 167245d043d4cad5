variable "nothing" {
  type    = list(string)
  default = null
}

resource "simcloud_block_list" "null" {
  name = "null"

  dynamic "part" {
    for_each = var.nothing

    content {}
  }
}
