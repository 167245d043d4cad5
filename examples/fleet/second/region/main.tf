variable "name" {
  type = string
}

variable "machines" {
  type = number
}

module "node" {
  source = "./node"
  count  = var.machines

  label = "${var.name}-${count.index}"
}

output "machines" {
  value = module.node[*].label
}
