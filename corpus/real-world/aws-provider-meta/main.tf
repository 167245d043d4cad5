terraform {
  required_version = ">= 1.3"
  provider_meta "aws" {
    user_agent = ["github.com/example/terraform-aws-bucket"]
  }

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

resource "aws_s3_bucket" "this" {
  bucket_prefix = "logs-"
  force_destroy = true
  tags          = { Name = "logs" }
}

resource "aws_s3_bucket_versioning" "this" {
  bucket = aws_s3_bucket.this.id
  versioning_configuration {
    status = "Enabled"
  }
}

output "arn" {
  value = aws_s3_bucket.this.arn
}
