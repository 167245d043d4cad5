terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
    archive = {
      source = "hashicorp/archive"
    }
  }
}

data "archive_file" "package" {
  type        = "zip"
  source_dir  = "${path.module}/src"
  output_path = "package.zip"
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/aws/lambda/hello"
  retention_in_days = 14
}

resource "aws_lambda_function" "this" {
  function_name    = "hello"
  filename         = data.archive_file.package.output_path
  source_code_hash = data.archive_file.package.output_base64sha256
  role             = aws_iam_role.this.arn
  environment {
    variables = { LOG = aws_cloudwatch_log_group.this.name }
  }
  depends_on = [aws_cloudwatch_log_group.this]
}

resource "aws_iam_role" "this" {
  name_prefix = "hello"
}

output "invoke_arn" {
  value = aws_lambda_function.this.invoke_arn
}
