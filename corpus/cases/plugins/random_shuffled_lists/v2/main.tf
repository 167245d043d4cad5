terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

resource "random_shuffle" "zones" {
  for_each     = { a = ["x", "y", "z", "w"], none = [] }
  input        = each.value
  seed         = each.key
  result_count = each.key == "a" ? 2 : null
}

output "first" {
  value = { for name, zones in random_shuffle.zones : name => one(slice(zones.result, 0, min(1, length(zones.result)))) }
}
