resource "sim_thing" "a" {
  name = "inner"
}

resource "sim_thing" "b" {
  for_each = toset(["k"])

  name = "b-${each.key}"
}
