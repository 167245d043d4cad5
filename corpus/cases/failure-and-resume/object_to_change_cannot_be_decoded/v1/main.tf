variable "v" {
  type = string
}

resource "simcloud_updated" "a" {
  name  = "a"
  value = var.v
}

resource "simcloud_updated" "b" {
  name  = "b"
  value = simcloud_updated.a.revision
}
