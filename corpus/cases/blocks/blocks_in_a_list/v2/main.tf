resource "simcloud_block_list" "x" {
  name = "x"

  part {
    key    = "b"
    amount = 2
  }

  part {
    key    = "a"
    amount = 1.5
  }

  part {
    key = "c"
  }
}

output "made" {
  value = simcloud_block_list.x.part[*].made
}
