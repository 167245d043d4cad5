resource "sim_thing" "x" {
  name = "x"
}

check "healthy" {
  data "sim_lookup" "d" {
    name = "health"
  }

  assert {
    condition     = data.sim_lookup.d.result == "found-health"
    error_message = "Not healthy."
  }
}
