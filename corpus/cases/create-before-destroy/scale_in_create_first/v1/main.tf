variable "n" {
  type = number
}

resource "sim_thing" "foo" {
  count = var.n

  name = "foo${count.index}"

  lifecycle {
    create_before_destroy = true
  }
}

resource "sim_thing" "bar" {
  name   = "bar"
  value  = length(sim_thing.foo)
  parent = sim_thing.foo[length(sim_thing.foo) - 1].id
}
