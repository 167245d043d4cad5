resource "sim_thing" "a" {
  name = "a"
}

data "sim_lookup" "first" {
  name = "first"

  depends_on = [sim_thing.a]
}

data "sim_lookup" "second" {
  name = "second"

  depends_on = [data.sim_lookup.first]
}

output "both" {
  value = "${data.sim_lookup.first.result} ${data.sim_lookup.second.result}"
}
