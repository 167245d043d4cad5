resource "sim_thing" "x" {
  name = "x"
}

locals {
  label = "${sim_thing.x.id}/one"
}

output "label" {
  value = local.label
}
