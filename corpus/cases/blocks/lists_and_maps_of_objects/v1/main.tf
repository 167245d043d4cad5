resource "simcloud_nested_list" "x" {
  name = "list"
  part = [{ key = "a", amount = 1 }, { key = "b" }]
}

resource "simcloud_nested_map" "x" {
  name = "map"
  part = { one = { key = "a" }, two = { key = "b" } }
}
