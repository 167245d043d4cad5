resource "sim_thing" "quick" {
  name = "quick"
}

resource "sim_thing" "slow" {
  name  = "slow"
  value = sim_thing.quick.id
}

resource "sim_thing" "after" {
  name  = "after"
  value = sim_thing.slow.id
}
