variable "key" {
  type = string
}

variable "v" {
  type = string
}

resource "sim_thing" "t" {
  name  = var.key
  value = var.v
}

data "sim_lookup" "d" {
  name = "d-${var.key}"

  depends_on = [sim_thing.t]
}
