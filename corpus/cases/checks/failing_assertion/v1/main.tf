resource "sim_thing" "x" {
  name = "x"
}

check "name" {
  assert {
    condition     = sim_thing.x.name == "y"
    error_message = "Its name is ${sim_thing.x.name}."
  }
}
