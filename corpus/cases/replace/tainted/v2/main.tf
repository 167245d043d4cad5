resource "sim_thing" "created" {
  name  = "created"
  value = "1"
}

resource "sim_thing" "updated" {
  name  = "updated"
  value = "2"
}
