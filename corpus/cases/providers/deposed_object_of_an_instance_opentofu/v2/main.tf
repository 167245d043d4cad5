provider "sim" {
  alias    = "by"
  for_each = toset(["one", "two"])
  region   = each.key
}

resource "sim_thing" "a" {
  provider = sim.by["one"]

  name      = "a"
  force_new = "new"

  lifecycle {
    create_before_destroy = true
  }
}
