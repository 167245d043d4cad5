terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "token" {
  type      = string
  ephemeral = true
  default   = "t"
}

ephemeral "aws_secretsmanager_secret_version" "db" {
  secret_id = "db"
}

provider "aws" {
  region = "eu-west-1"
  token  = var.token
}

locals {
  password = ephemeral.aws_secretsmanager_secret_version.db.secret_string
}

resource "aws_db_instance" "this" {
  engine              = "postgres"
  password_wo         = local.password
  password_wo_version = 1
}

check "password" {
  assert {
    condition     = length(aws_db_instance.this.engine) > 0
    error_message = "No engine."
  }
}
