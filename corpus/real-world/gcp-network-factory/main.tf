variable "factories_config" {
  type = object({
    vpcs  = optional(string, "data/vpcs")
    rules = optional(string, "data/rules")
  })
  default = {}
}
locals {
  _vpcs   = { for f in try(fileset(var.factories_config.vpcs, "**/*.yaml"), []) : trimsuffix(basename(f), ".yaml") => yamldecode(file("${var.factories_config.vpcs}/${f}")) }
  vpcs    = { for k, v in local._vpcs : k => merge({ mtu = 1460, subnets = [] }, v) }
  subnets = merge(flatten([for k, v in local.vpcs : { for s in v.subnets : "${k}/${s.name}" => merge(s, { vpc = k }) }])...)
  rules   = flatten([for f in fileset("${path.module}/${var.factories_config.rules}", "*.json") : [for r in jsondecode(file("${path.module}/${var.factories_config.rules}/${f}")) : merge(r, { file = f })]])
}
resource "google_compute_network" "vpc" {
  for_each                = local.vpcs
  name                    = each.key
  mtu                     = each.value.mtu
  auto_create_subnetworks = false
}
resource "google_compute_subnetwork" "s" {
  for_each      = local.subnets
  name          = each.value.name
  network       = google_compute_network.vpc[each.value.vpc].self_link
  ip_cidr_range = each.value.cidr
  dynamic "secondary_ip_range" {
    for_each = try(each.value.secondary, {})
    content {
      range_name    = secondary_ip_range.key
      ip_cidr_range = secondary_ip_range.value
    }
  }
}
resource "google_compute_firewall" "rule" {
  for_each = { for r in local.rules : r.name => r }
  name     = each.key
  network  = google_compute_network.vpc[each.value.vpc].id
  dynamic "allow" {
    for_each = each.value.allow
    content {
      protocol = allow.value.proto
      ports    = try(allow.value.ports, null)
    }
  }
  lifecycle {
    replace_triggered_by = [google_compute_network.vpc]
  }
}
output "ranges" { value = { for k, s in google_compute_subnetwork.s : k => [for r in s.secondary_ip_range : r.ip_cidr_range] } }
output "gateways" { value = values(google_compute_subnetwork.s)[*].gateway_address }
