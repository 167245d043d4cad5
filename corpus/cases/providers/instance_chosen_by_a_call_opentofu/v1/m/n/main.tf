variable "tag" {}

resource "sim_thing" "inner" {
  name = var.tag
}
