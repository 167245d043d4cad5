resource "sim_thing" "set" {
  for_each = toset(["k"])

  name = "${each.key}-${each.value}"
}

resource "sim_thing" "map" {
  for_each = tomap({ k = "v" })

  name = "${each.key}-${each.value}"
}

resource "sim_thing" "object" {
  for_each = { k = "w", n = 1 }

  name = "${each.key}-${each.value}"
}
