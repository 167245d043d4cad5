resource "sim_thing" "updated" {
  name  = "updated"
  value = "2"
}

resource "sim_thing" "replaced" {
  name      = "replaced"
  force_new = "2"
}

resource "sim_thing" "created" {
  name = "created"
}
