terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

module "server" {
  for_each = { b = 6 }
  source   = "./server"
  size     = each.value
}

output "names" {
  value = values(module.server)[*].hex
}
