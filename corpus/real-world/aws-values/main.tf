terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

data "aws_ssm_parameter" "settings" {
  name = "/app/settings"
}

resource "aws_launch_template" "this" {
  user_data = base64encode("x")
}

resource "aws_instance" "this" {
  count = tonumber(jsondecode(data.aws_ssm_parameter.settings.value).count)
}

locals {
  decoded = base64decode(aws_launch_template.this.rendered)
  expires = timeadd(aws_launch_template.this.create_time, "24h")
  ports   = aws_launch_template.this.default_version + 1
}

output "all" {
  value     = [local.decoded != "", local.expires, local.ports, length(aws_instance.this)]
  sensitive = true
}
