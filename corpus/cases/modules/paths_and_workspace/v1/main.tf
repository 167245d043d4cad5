module "m" {
  source = "./parts/m"
}

resource "sim_thing" "x" {
  name  = "x"
  value = "${path.module} ${path.root} ${terraform.workspace}"
}

output "inner" {
  value = module.m.paths
}
