resource "sim_thing" "new" {
  name = "it"
}

moved {
  from = sim_thing.old
  to   = sim_thing.new
}
