variable "v" {
  type = string
}

resource "sim_thing" "slow" {
  name  = "slow"
  value = var.v
}

output "name" {
  value = "fixed"

  depends_on = [sim_thing.slow]
}
