module "m" {
  source = "./m"
  size   = 2
}

resource "sim_thing" "outside" {
  name = "outside"
}
