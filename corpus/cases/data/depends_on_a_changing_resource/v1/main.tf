variable "v" {
  type = string
}

resource "sim_thing" "a" {
  name  = "a"
  value = var.v
}

data "sim_lookup" "d" {
  name = "zone"

  depends_on = [sim_thing.a]
}

output "found" {
  value = data.sim_lookup.d.result
}
