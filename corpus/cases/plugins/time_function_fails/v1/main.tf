terraform {
  required_providers {
    time = {
      source = "hashicorp/time"
    }
  }
}

output "nonsense" {
  value = provider::time::duration_parse("a while")
}

output "caught" {
  value = try(provider::time::rfc3339_parse("never").year, 0)
}
