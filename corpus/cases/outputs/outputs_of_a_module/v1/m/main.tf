resource "sim_thing" "x" {
  name = "x"
}

output "id" {
  value = sim_thing.x.id
}

output "unused" {
  value = "nobody"
}
