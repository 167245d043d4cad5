variable "n" {
  type = number
}

resource "sim_thing" "y" {
  name = "y${var.n}"
}
