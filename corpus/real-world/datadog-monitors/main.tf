terraform {
  required_providers {
    datadog = {
      source  = "DataDog/datadog"
      version = ">= 1.0"
    }
  }
}

variable "monitors" {
  type = map(object({ query = string, threshold = number, notify = optional(list(string), ["@ops"]) }))
  default = {
    cpu    = { query = "avg(last_5m):avg:system.cpu.user{*}", threshold = 90 }
    memory = { query = "avg(last_5m):avg:system.mem.used{*}", threshold = 80, notify = ["@ops", "@dev"] }
  }
}

resource "datadog_monitor" "this" {
  for_each = var.monitors
  name     = title(each.key)
  type     = "metric alert"
  query    = "${each.value.query} > ${each.value.threshold}"
  message  = <<-EOT
    {{#is_alert}}${each.key} is above ${each.value.threshold}{{/is_alert}}
    ${join(" ", each.value.notify)}
  EOT
  monitor_thresholds {
    critical = each.value.threshold
    warning  = each.value.threshold * 0.9
  }
}
