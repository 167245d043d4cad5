variable "name" {}
variable "protected" {}

resource "simcloud_updated" "a" {
  name = "${var.name}-a"
}

resource "simcloud_protected" "b" {
  name      = "${var.name}-b"
  protected = var.protected
  value     = simcloud_updated.a.id
}
