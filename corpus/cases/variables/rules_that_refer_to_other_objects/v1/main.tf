variable "name" {
  type = string

  validation {
    condition     = var.name != local.taken
    error_message = "It is ${local.taken}."
  }

  validation {
    condition     = var.name != module.child.taken
    error_message = "It is ${module.child.taken}."
  }

  validation {
    condition     = var.name != terraform.workspace && var.name != path.module
    error_message = "It is ${terraform.workspace} or ${path.module}."
  }

  validation {
    condition     = var.name != terraform_data.x.output
    error_message = "It is ${terraform_data.x.output}."
  }
}

locals {
  taken = "local"
}

module "child" {
  source = "./child"
}

resource "terraform_data" "x" {
  input = "data"
}

resource "terraform_data" "y" {
  input = var.name
}
