resource "simcloud_nested_list" "x" {
  name = "list"
}

resource "simcloud_nested_map" "x" {
  name = "map"
  part = {}
}
