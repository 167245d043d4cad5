terraform {
  required_providers {
    random = {
      source = "hashicorp/random"
    }
  }
}

moved {
  from = random_id.server
  to   = module.server["a"].random_id.this
}

module "server" {
  for_each = { a = 4, b = 6 }
  source   = "./server"
  size     = each.value
}

output "names" {
  value = values(module.server)[*].hex
}
