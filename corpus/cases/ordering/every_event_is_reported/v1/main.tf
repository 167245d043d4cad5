resource "sim_thing" "updated" {
  name  = "updated"
  value = "1"
}

resource "sim_thing" "replaced" {
  name      = "replaced"
  force_new = "1"
}

resource "sim_thing" "deleted" {
  name = "deleted"
}
