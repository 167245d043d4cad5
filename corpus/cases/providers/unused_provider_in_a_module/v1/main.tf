resource "sim_thing" "a" {
  name = "a"
}

module "m" {
  source = "./m"
}
