resource "sim_thing" "y" {
  name  = "y"
  value = "${path.module} ${path.root} ${terraform.workspace}"
}

output "paths" {
  value = sim_thing.y.value
}
