resource "sim_thing" "base" {
  name = "base"
}

resource "sim_thing" "middle" {
  name   = "middle"
  parent = sim_thing.base.id
}

resource "sim_thing" "top" {
  name   = "top"
  parent = sim_thing.middle.id
}

resource "sim_thing" "aside" {
  name = "aside"
}

output "top" {
  value = sim_thing.top.id
}

output "base" {
  value = sim_thing.base.id
}
