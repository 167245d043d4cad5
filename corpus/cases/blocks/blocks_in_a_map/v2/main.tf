resource "simcloud_block_map" "x" {
  name = "x"

  part "another" {
    key = "a"
  }

  part "two" {
    key    = "c"
    amount = 3
  }
}

output "made" {
  value = { for label, part in simcloud_block_map.x.part : label => part.made }
}
