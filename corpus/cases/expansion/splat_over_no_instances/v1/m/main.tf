resource "sim_thing" "none" {
  count = 0

  name = "none"
}

output "ids" {
  value = sim_thing.none[*].id
}
