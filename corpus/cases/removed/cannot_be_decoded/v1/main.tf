variable "v" {
  type = string
}

resource "simcloud_replaced" "a" {
  name  = "a"
  value = var.v

  lifecycle {
    create_before_destroy = true
  }
}
