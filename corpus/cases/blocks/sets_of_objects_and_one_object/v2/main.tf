resource "simcloud_updated" "x" {
  name = "x"
}

resource "simcloud_nested_set" "x" {
  name = "set"
  part = [{ key = simcloud_updated.x.id }, { key = "b", amount = 2 }, { key = "x-1" }]
}

resource "simcloud_nested_single" "x" {
  name = "single"
  part = { key = "b", amount = 2 }
}
