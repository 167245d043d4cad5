locals {
  environments = {
    default = { size = "small", count = 1, domains = [] }
    prod    = { size = "large", count = 3, domains = ["example.com", "www.example.com"] }
  }
  current = local.environments[contains(keys(local.environments), terraform.workspace) ? terraform.workspace : "default"]
}

resource "terraform_data" "server" {
  count = local.current.count
  input = { size = local.current.size, name = "server-${terraform.workspace}-${count.index}" }
}

resource "terraform_data" "domain" {
  for_each = toset(local.current.domains)
  input    = each.key
}

output "names" {
  value = terraform_data.server[*].output.name
}
