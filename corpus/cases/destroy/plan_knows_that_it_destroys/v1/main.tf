resource "sim_thing" "x" {
  name = "x"
}

output "id" {
  value = sim_thing.x.id
}

check "always" {
  assert {
    condition     = sim_thing.x.name == "x"
    error_message = "Other name."
  }
}
