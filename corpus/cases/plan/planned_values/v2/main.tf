resource "sim_thing" "kept" {
  name  = "kept"
  value = "1"
}

resource "sim_thing" "changed" {
  name   = "changed"
  value  = "2"
  secret = "two"
}

resource "sim_thing" "new" {
  name   = "new"
  value  = sim_thing.changed.version
  parent = sim_thing.kept.id
}
