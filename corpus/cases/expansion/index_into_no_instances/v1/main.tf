variable "n" {
  type = number
}

resource "sim_thing" "a" {
  count = var.n

  name = "a"
}

resource "sim_thing" "b" {
  name  = "b"
  value = sim_thing.a[0].id
}
