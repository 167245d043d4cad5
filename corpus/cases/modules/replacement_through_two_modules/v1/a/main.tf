variable "r" {
  type = string
}

resource "sim_thing" "source" {
  name      = "source"
  force_new = var.r
}

output "ids" {
  value = [sim_thing.source.id]
}
