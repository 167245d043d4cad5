variable "above" {
  type = string
}

resource "sim_thing" "x" {
  name   = "x"
  parent = var.above
}
