resource "sim_thing" "id_b" {
  name = "id_b"
}

resource "sim_thing" "service" {
  name      = "service"
  parent    = sim_thing.id_b.id
  force_new = sim_thing.id_b.id

  lifecycle {
    create_before_destroy = true
  }
}
