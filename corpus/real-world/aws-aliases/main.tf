terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

provider "aws" {
  region = "eu-west-1"
}

provider "aws" {
  alias  = "us"
  region = "us-east-1"
}

provider "aws" {
  alias  = "replica"
  region = "eu-central-1"
}

module "certificate" {
  source    = "./certificate"
  domain    = "example.com"
  providers = { aws = aws.us }
}

module "bucket" {
  source = "./bucket"
  providers = {
    aws.main    = aws
    aws.replica = aws.replica
  }
}

output "certificate" {
  value = module.certificate.arn
}
