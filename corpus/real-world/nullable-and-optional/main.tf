variable "rules" {
  type = list(object({
    port     = number
    protocol = optional(string, "tcp")
    cidrs    = optional(list(string), ["0.0.0.0/0"])
    log      = optional(object({ bucket = optional(string, "logs"), days = optional(number, 30) }), {})
  }))
  default = [{ port = 443 }, { port = 53, protocol = "udp", log = { days = 7 } }, { port = 22, cidrs = null }]
}

variable "prefix" {
  type     = string
  default  = "app"
  nullable = false
}

resource "terraform_data" "rule" {
  for_each = { for rule in var.rules : "${var.prefix}-${rule.protocol}-${rule.port}" => rule }
  input    = each.value
}

output "buckets" {
  value = { for name, rule in terraform_data.rule : name => "${rule.output.log.bucket}:${rule.output.log.days}" }
}
