resource "sim_thing" "x" {
  count = 1

  name = "x"
}

output "nothing" {
  value = sim_thing.x[0].value
}

output "first" {
  value = sim_thing.x[0].id
}
