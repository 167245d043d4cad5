resource "sim_thing" "base" {
  name  = "base"
  value = "2"
}

output "n" {
  value = tonumber(sim_thing.base.value)
}

output "id" {
  value = sim_thing.base.id
}
