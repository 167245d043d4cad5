resource "sim_thing" "k" {
  for_each = toset(["a", "b", "c"])

  name = "k-${each.key}"
}

resource "sim_thing" "of_one" {
  name  = "of_one"
  value = sim_thing.k["a"].id
}

resource "sim_thing" "of_all" {
  name  = "of_all"
  value = join(",", [for thing in sim_thing.k : thing.id])
}
