resource "sim_thing" "id_a" {
  name = "id_a"
}

resource "sim_thing" "service" {
  name      = "service"
  parent    = sim_thing.id_a.id
  force_new = sim_thing.id_a.id

  lifecycle {
    create_before_destroy = true
  }
}
