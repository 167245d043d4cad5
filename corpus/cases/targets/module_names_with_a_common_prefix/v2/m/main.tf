variable "n" {
  type = string
}

resource "sim_thing" "x" {
  name = var.n
}
