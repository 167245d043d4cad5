variable "n" {
  type = number
}

resource "sim_thing" "x" {
  name = "x${var.n}"
}
