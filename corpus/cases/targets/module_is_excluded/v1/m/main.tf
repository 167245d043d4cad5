variable "key" {
  type = string
}

resource "terraform_data" "one" {
  input = var.key
}

module "inner" {
  source = "./inner"
  given  = terraform_data.one.id
}

output "id" {
  value = module.inner.id
}
