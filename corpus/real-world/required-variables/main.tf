variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{2,30}$", var.name))
    error_message = "Must be a lower case name."
  }
}

variable "environment" {
  type = string
  validation {
    condition     = contains(["dev", "staging", "prod"], var.environment)
    error_message = "Must be dev, staging or prod."
  }
}

variable "cidr_block" {
  type = string
}

variable "node_groups" {
  type = map(object({
    instance_type = string
    min_size      = number
    max_size      = number
    labels        = optional(map(string), {})
  }))
  validation {
    condition     = alltrue([for group in var.node_groups : group.min_size <= group.max_size && group.max_size > 2])
    error_message = "Sizes must be ordered."
  }
}

variable "user_data" {
  type      = string
  sensitive = true
}

resource "terraform_data" "group" {
  for_each = var.node_groups
  input    = merge(each.value, { subnet = cidrsubnet(var.cidr_block, 8, each.value.max_size) })
}

output "summary" {
  value = "${var.name}-${var.environment}: ${join(", ", keys(terraform_data.group))}"
}

output "user_data" {
  value     = base64decode(var.user_data)
  sensitive = true
}
