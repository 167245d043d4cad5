variable "a" {
  type = string
}

output "b" {
  value = "independent"
}

resource "sim_thing" "x" {
  name  = "x"
  value = var.a
}
