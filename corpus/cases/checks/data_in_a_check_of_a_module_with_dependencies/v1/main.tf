resource "sim_thing" "before" {
  name = "before"
}

module "m" {
  source = "./m"

  depends_on = [sim_thing.before]
}

resource "sim_thing" "after" {
  name = "after"

  depends_on = [module.m]
}
