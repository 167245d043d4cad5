module "m" {
  source = "./m"
}

resource "sim_thing" "use" {
  name  = "use"
  value = module.m.id
}
