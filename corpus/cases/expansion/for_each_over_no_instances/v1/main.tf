variable "keys" {
  type = set(string)
}

resource "sim_thing" "a" {
  for_each = var.keys

  name = "a-${each.key}"
}

resource "sim_thing" "b" {
  for_each = sim_thing.a

  name   = "b-${each.key}"
  parent = each.value.id
}
