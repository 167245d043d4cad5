variable "n" {
  type = number
}

resource "sim_thing" "node" {
  count = var.n

  name = "node${count.index}"
}

resource "sim_thing" "roster" {
  name  = "roster"
  value = join(",", sim_thing.node[*].id)
}
