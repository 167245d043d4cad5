terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}

variable "create" {
  type    = bool
  default = true
}

data "aws_caller_identity" "current" {
  count = var.create ? 1 : 0
}

data "aws_ssm_parameters_by_path" "settings" {
  path = "/settings"
}

resource "aws_iam_role" "this" {
  count = var.create ? 1 : 0
  name  = "this"
}

resource "aws_subnet" "public" {
  count  = 2
  vpc_id = "vpc-1"
}

resource "aws_ssm_parameter" "copied" {
  for_each = data.aws_ssm_parameters_by_path.settings.found
  name     = "/copied/${each.key}"
  value    = each.value.text
}

locals {
  zones      = aws_subnet.public[*].availability_zone
  account_id = one(data.aws_caller_identity.current).account_id
}

output "role_arn" {
  value = one(aws_iam_role.this[*].arn)
}

output "role_name" {
  value = element(concat(aws_iam_role.this.*.unique_id, [""]), 0)
}

output "subnets" {
  value = join(",", aws_subnet.public[*].id)
}

output "zones" {
  value = "${join(",", distinct(local.zones))} of ${local.account_id}"
}

output "groups" {
  value = flatten(aws_subnet.public[*].group_ids)
}

output "copied" {
  value = sort(values(aws_ssm_parameter.copied)[*].arn)
}

output "path" {
  value = try(aws_iam_role.this[0].path, "/")
}
