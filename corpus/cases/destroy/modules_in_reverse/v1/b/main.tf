variable "above" {
  type = string
}

resource "sim_thing" "down" {
  name   = "down"
  parent = var.above
}
