resource "sim_thing" "up" {
  name = "up"
}

output "id" {
  value = sim_thing.up.id
}
