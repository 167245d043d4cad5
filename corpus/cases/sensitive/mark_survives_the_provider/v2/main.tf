variable "secret" {
  type      = string
  sensitive = true
}

resource "sim_thing" "x" {
  name  = "x"
  value = var.secret
}

output "seen" {
  value     = sim_thing.x.value
  sensitive = true
}
