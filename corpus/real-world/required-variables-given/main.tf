variable "regions" {
  type = set(string)
}

variable "settings" {
  type = object({ retries = number, hosts = list(string) })
}

variable "note" {
  default = "none"
}

output "all" {
  value = { for region in var.regions : region => "${region}/${var.settings.hosts[0]}/${var.settings.retries}/${var.note}" }
}
