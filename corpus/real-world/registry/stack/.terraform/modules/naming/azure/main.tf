variable "prefix" {
  type = list(string)
}

module "text" {
  source = "../text"
  parts  = var.prefix
}

output "name" {
  value = module.text.joined
}
