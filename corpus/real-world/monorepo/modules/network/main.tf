variable "name" {
  type = string
}

variable "cidr" {
  type = string
  validation {
    condition     = can(cidrhost(var.cidr, 0))
    error_message = "Must be a CIDR block."
  }
}

variable "zones" {
  type = list(string)
}

locals {
  newbits = ceil(log(max(length(var.zones), 2), 2)) + 2
}

resource "terraform_data" "subnet" {
  for_each = { for index, zone in var.zones : zone => cidrsubnet(var.cidr, local.newbits, index) }
  input    = { name = "${var.name}-${each.key}", cidr = each.value }
}

output "subnets" {
  value = { for zone, subnet in terraform_data.subnet : zone => subnet.output.cidr }
}
