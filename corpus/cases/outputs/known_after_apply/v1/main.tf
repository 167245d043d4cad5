resource "sim_thing" "x" {
  name      = "x"
  force_new = "1"
}

output "o" {
  value = sim_thing.x.id
}
