variable "k" {
  type = string
}

resource "sim_thing" "a" {
  for_each = toset([var.k])

  name = "a${each.key}"
}

resource "sim_thing" "b" {
  for_each = toset([var.k])

  name  = "b${each.key}"
  value = sim_thing.a[each.key].id
}
