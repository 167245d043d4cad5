resource "sim_thing" "a" {
  count = 2

  name = "a${count.index}"
}

locals {
  last = sim_thing.a[1].id
}

output "last" {
  value = upper(local.last)
}
