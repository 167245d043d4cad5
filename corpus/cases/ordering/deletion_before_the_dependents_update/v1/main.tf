variable "n" {
  type = number
}

resource "sim_thing" "foo" {
  count = var.n

  name = "foo${count.index}"
}

resource "sim_thing" "bar" {
  name  = "bar"
  value = join(" ", sim_thing.foo[*].id)
}
