terraform {
  required_providers {
    aws = {
      source                = "hashicorp/aws"
      configuration_aliases = [aws.main, aws.replica]
    }
  }
}

resource "aws_s3_bucket" "main" {
  provider = aws.main
  bucket   = "main"
}

resource "aws_s3_bucket" "replica" {
  provider = aws.replica
  bucket   = "replica"
}

resource "aws_s3_bucket_replication_configuration" "this" {
  provider = aws.main
  bucket   = aws_s3_bucket.main.id
  role     = "arn:aws:iam::123456789012:role/replication"
  rule {
    status = "Enabled"
    destination {
      bucket = aws_s3_bucket.replica.arn
    }
  }
}
