resource "simcloud_block_list" "x" {
  name = "x"

  part {
    key    = "a"
    amount = 1
  }

  part {
    key    = "b"
    amount = 2
  }
}

output "made" {
  value = simcloud_block_list.x.part[*].made
}
