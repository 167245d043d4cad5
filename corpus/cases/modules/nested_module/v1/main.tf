module "outer" {
  source = "./outer"
}

resource "sim_thing" "last" {
  name       = "last"
  depends_on = [module.outer]
}
