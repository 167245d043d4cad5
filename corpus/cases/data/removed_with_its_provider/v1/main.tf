data "sim_lookup" "d" {
  name = "zone"
}

output "zone" {
  value = data.sim_lookup.d.result
}
