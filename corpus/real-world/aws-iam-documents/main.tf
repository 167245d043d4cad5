terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

data "aws_caller_identity" "current" {}

data "aws_iam_policy_document" "assume" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

locals {
  policy = {
    Version   = "2012-10-17"
    resources = ["a", "b"]
    instances = [{ actions = ["s3:GetObject"], resources = ["arn:aws:s3:::bucket/*"] }]
    checks    = { status = "pass" }
    objects   = [1, 2]
  }
}

resource "aws_iam_role" "this" {
  name               = "role"
  assume_role_policy = data.aws_iam_policy_document.assume.json
}

resource "aws_iam_role_policy" "inline" {
  role   = aws_iam_role.this.name
  policy = jsonencode({ Statement = [for each in local.policy.instances : { Action = each.actions, Resource = each.resources }] })
}

resource "terraform_data" "policy" {
  input = local.policy
}

output "resources" {
  value = terraform_data.policy.output.resources
}

output "account" {
  value = data.aws_caller_identity.current.account_id
}
