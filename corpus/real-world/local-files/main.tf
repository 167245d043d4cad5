terraform {
  required_providers {
    local = {
      source = "hashicorp/local"
    }
    null = {
      source = "hashicorp/null"
    }
  }
}

locals {
  inventory = { web = ["10.0.0.1", "10.0.0.2"], db = ["10.0.1.1"] }
}

resource "local_file" "inventory" {
  filename = "${path.module}/inventory.ini"
  content  = join("\n", flatten([for group, hosts in local.inventory : ["[${group}]", hosts]]))
}

resource "null_resource" "after" {
  triggers = { hash = local_file.inventory.content_md5 }
}

output "hash" {
  value = null_resource.after.triggers.hash
}
