resource "simcloud_block_list" "x" {
  name = "x"

  part {
    key = "c"
  }
}

output "made" {
  value = simcloud_block_list.x.part[*].made
}
