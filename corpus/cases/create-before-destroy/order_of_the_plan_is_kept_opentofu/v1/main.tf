variable "v" {
  type = string
}

resource "simcloud_replaced" "base" {
  name  = "base"
  value = var.v
}

resource "simcloud_replaced" "middle" {
  name  = "middle"
  value = "${var.v} ${simcloud_replaced.base.id}"
}

resource "simcloud_updated" "top" {
  name = "top"

  depends_on = [simcloud_replaced.middle]

  lifecycle {
    create_before_destroy = true
  }
}
