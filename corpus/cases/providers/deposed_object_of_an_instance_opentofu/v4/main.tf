provider "sim" {
  alias    = "by"
  for_each = toset(["two"])
  region   = each.key
}

resource "sim_thing" "a" {
  provider = sim.by["two"]

  name      = "a"
  force_new = "new"

  lifecycle {
    create_before_destroy = true
  }
}
