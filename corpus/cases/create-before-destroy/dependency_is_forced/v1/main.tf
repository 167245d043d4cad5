resource "sim_thing" "network" {
  name      = "network"
  force_new = "a"
}

resource "sim_thing" "subnet" {
  name      = "subnet"
  force_new = "a"
  parent    = sim_thing.network.id

  lifecycle {
    create_before_destroy = true
  }
}
