resource "simcloud_block_single" "x" {
  name = "single"
}

resource "simcloud_block_group" "x" {
  name = "group"
}

output "is_there" {
  value = [simcloud_block_single.x.part != null, simcloud_block_group.x.part != null]
}
