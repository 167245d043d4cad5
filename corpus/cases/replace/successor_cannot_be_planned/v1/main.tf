variable "v" {
  type = string
}

resource "simcloud_replaced" "a" {
  name  = "a"
  value = var.v
}

resource "simcloud_updated" "b" {
  name  = "b"
  value = simcloud_replaced.a.id
}
