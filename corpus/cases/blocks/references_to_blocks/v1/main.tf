resource "simcloud_block_list" "x" {
  name = "list"

  part {}
}

resource "simcloud_block_set" "x" {
  name = "set"

  part {}
}

resource "simcloud_block_map" "x" {
  name = "map"
}

resource "simcloud_block_single" "x" {
  name = "single"
}

resource "simcloud_block_group" "x" {
  name = "group"
}

resource "simcloud_block_deep" "x" {
  name = "deep"
}

resource "simcloud_nested_list" "x" {
  name = "nested"
}

output "name_in_a_list" {
  value = simcloud_block_list.x.part.key
}

output "name_that_is_not_there" {
  value = simcloud_block_list.x.part[0].kye
}

output "index_in_a_set" {
  value = simcloud_block_set.x.part[0]
}

output "name_in_a_set" {
  value = simcloud_block_set.x.part.key
}

output "label_that_has_no_such_name" {
  value = simcloud_block_map.x.part["a"].kye
}

output "index_in_a_block" {
  value = simcloud_block_single.x.part[0].key
}

output "name_as_an_index" {
  value = simcloud_block_group.x.part["key"]
}

output "text_as_an_index" {
  value = simcloud_block_group.x.part["no name"]
}

output "deep" {
  value = simcloud_block_deep.x.outer[0].middle.inner
}

output "attribute" {
  value = simcloud_nested_list.x.part.key
}

output "attribute_inside" {
  value = simcloud_nested_list.x.part[0].kye
}
