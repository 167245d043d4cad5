variable "size" {
  type = number
}

resource "sim_thing" "x" {
  count = var.size

  name = "x${count.index}"
}
