resource "sim_thing" "a" {
  name = "a"
}

resource "sim_thing" "b" {
  name = "b"

  dynamic "item" {
    for_each = split("-", sim_thing.a.id)

    content {
      key = item.value
    }
  }
}
