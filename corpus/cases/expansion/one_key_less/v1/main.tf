variable "keys" {
  type = set(string)
}

resource "sim_thing" "x" {
  for_each = var.keys

  name = "x-${each.key}"
}
