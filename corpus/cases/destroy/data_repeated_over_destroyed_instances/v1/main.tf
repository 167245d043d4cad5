resource "sim_thing" "seed" {
  count = 1

  name = "seed"
}

data "sim_lookup" "d" {
  for_each = toset([for t in sim_thing.seed : t.name])

  name = each.key
}

resource "sim_thing" "leaf" {
  for_each = data.sim_lookup.d

  name   = "leaf-${each.key}"
  parent = sim_thing.seed[0].id
}
