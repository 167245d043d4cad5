resource "simcloud_block_single" "x" {
  name = "single"

  part {
    key = "a"
  }
}

resource "simcloud_block_group" "x" {
  name = "group"

  part {
    key = "a"
  }
}

output "is_there" {
  value = [simcloud_block_single.x.part != null, simcloud_block_group.x.part != null]
}
