module "m" {
  source = "./m"
}

resource "sim_thing" "outer" {
  name      = "outer"
  force_new = "2"

  depends_on = [module.m]

  lifecycle {
    create_before_destroy = true
  }
}
