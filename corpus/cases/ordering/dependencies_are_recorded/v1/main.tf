resource "sim_thing" "a" {
  count = 2

  name = "a${count.index}"
}

locals {
  first = sim_thing.a[0].id
}

resource "sim_thing" "b" {
  name   = "b"
  parent = local.first
}

resource "sim_thing" "c" {
  name   = "c"
  value  = "${sim_thing.b.name} ${sim_thing.a[1].name}"
  parent = sim_thing.b.id
}
