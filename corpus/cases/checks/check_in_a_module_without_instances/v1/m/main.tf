resource "sim_thing" "x" {
  name = "x"
}

check "named" {
  assert {
    condition     = sim_thing.x.name == "y"
    error_message = "It is called ${sim_thing.x.name}."
  }
}
