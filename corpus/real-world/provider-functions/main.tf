terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

locals {
  parsed = provider::aws::arn_parse("arn:aws:iam::444455556666:role/example")
}

output "role" {
  value = [local.parsed.account_id == "", provider::aws::trim_iam_role_path("x"), provider::aws::arn_build("a", "b", "c").service]
}
