resource "simcloud_nested_list" "x" {
  name = "list"
  part = [{ key = "b" }, null, { key = "c" }]
}

resource "simcloud_nested_map" "x" {
  name = "map"
  part = { one = null, three = { key = "a" }, two = { key = "c", amount = 2 } }
}

output "made" {
  value = [simcloud_nested_list.x.part[0].made, simcloud_nested_map.x.part["two"].made]
}
