terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "unused" {
  type    = any
  default = null
}

locals {
  unused  = [for each in range(3) : each]
  tags    = var.unused == null ? {} : var.unused
}

data "aws_region" "current" {}

data "aws_partition" "current" {
  count = 0
}

output "region" {
  value       = data.aws_region.current.name
  description = "Where this is."
}
