resource "sim_thing" "x" {
  name  = "x"
  value = "y"
}

output "value" {
  value = sim_thing.x.value
}
