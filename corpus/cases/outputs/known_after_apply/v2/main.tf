resource "sim_thing" "x" {
  name      = "x"
  force_new = "2"
}

output "o" {
  value = sim_thing.x.id
}
