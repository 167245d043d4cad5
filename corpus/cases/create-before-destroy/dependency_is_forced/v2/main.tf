resource "sim_thing" "network" {
  name      = "network"
  force_new = "b"
}

resource "sim_thing" "subnet" {
  name      = "subnet"
  force_new = "b"
  parent    = sim_thing.network.id

  lifecycle {
    create_before_destroy = true
  }
}
