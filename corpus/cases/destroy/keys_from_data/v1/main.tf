data "sim_lookup" "d" {
  for_each = toset(["north", "south"])

  name = each.key
}

resource "sim_thing" "x" {
  for_each = toset([for d in data.sim_lookup.d : d.result])

  name = each.key
}
