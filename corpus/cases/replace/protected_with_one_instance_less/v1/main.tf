variable "n" {
  type = number
}

resource "sim_thing" "a" {
  count = var.n

  name = "a${count.index}"

  lifecycle {
    prevent_destroy = true
  }
}
