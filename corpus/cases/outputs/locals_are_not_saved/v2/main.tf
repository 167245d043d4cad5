resource "sim_thing" "x" {
  name = "x"
}

locals {
  label = "${sim_thing.x.id}/two"
}

output "label" {
  value = local.label
}
