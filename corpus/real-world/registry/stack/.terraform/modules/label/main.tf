variable "namespace" {
  type    = string
  default = null
}

variable "name" {
  type = string
}

variable "attributes" {
  type    = list(string)
  default = []
}

variable "tags" {
  type    = map(string)
  default = {}
}

locals {
  id = lower(join("-", compact(concat([var.namespace, var.name], var.attributes))))
}

output "id" {
  value = local.id
}

output "tags" {
  value = merge({ Name = local.id }, var.tags)
}
