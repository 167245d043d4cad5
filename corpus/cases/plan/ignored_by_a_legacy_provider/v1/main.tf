variable "text" {
  type = string
}

resource "simcloud_normalised_legacy" "a" {
  name = "a"
  text = var.text

  lifecycle {
    ignore_changes = [name]
  }
}
