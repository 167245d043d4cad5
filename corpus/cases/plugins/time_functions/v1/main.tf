terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

resource "terraform_data" "made" {
  input = "2026-11-18T09:00:00Z"
}

locals {
  known = provider::time::rfc3339_parse("2026-02-28T23:59:59Z")
  later = provider::time::rfc3339_parse(terraform_data.made.output)
}

output "weekday" {
  value = local.known.weekday_name
}

output "unix" {
  value = local.later.unix
}

output "hours" {
  value = provider::time::duration_parse("36h15m").hours
}

output "epoch" {
  value = provider::time::unix_timestamp_parse(0).rfc3339
}
