terraform {
  required_version = "~> 1.9"
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = "~> 4.0"
    }
    azapi = {
      source  = "Azure/azapi"
      version = "~> 2.4"
    }
    modtm = {
      source  = "azure/modtm"
      version = "~> 0.3"
    }
    random = { source = "hashicorp/random" }
  }
}
variable "location" {
  type     = string
  nullable = false
}
variable "name" {
  type = string
  validation {
    condition     = can(regex("^[a-z0-9]{3,24}$", var.name))
    error_message = "The name must be between 3 and 24 characters, valid characters are lowercase letters and numbers."
  }
}
variable "resource_group_name" { type = string }
variable "enable_telemetry" {
  type     = bool
  default  = true
  nullable = false
}
variable "lock" {
  type = object({
    kind = string
    name = optional(string, null)
  })
  default = null
  validation {
    condition     = var.lock != null ? contains(["CanNotDelete", "ReadOnly"], var.lock.kind) : true
    error_message = "Lock kind must be either CanNotDelete or ReadOnly."
  }
}
variable "role_assignments" {
  type = map(object({
    role_definition_id_or_name       = string
    principal_id                     = string
    condition                        = optional(string, null)
    skip_service_principal_aad_check = optional(bool, false)
  }))
  default = {}
}
variable "managed_identities" {
  type = object({
    system_assigned            = optional(bool, false)
    user_assigned_resource_ids = optional(set(string), [])
  })
  default  = {}
  nullable = false
}
variable "private_endpoints" {
  type = map(object({
    name               = optional(string, null)
    subnet_resource_id = string
    subresource_name   = string
    ip_configurations  = optional(map(object({ name = string, private_ip_address = string })), {})
    role_assignments   = optional(map(object({ role_definition_id_or_name = string, principal_id = string })), {})
  }))
  default = { one = { subnet_resource_id = "/subscriptions/1/subnets/a", subresource_name = "blob", ip_configurations = { a = { name = "n", private_ip_address = "10.0.0.4" } } } }
}
data "azurerm_client_config" "telemetry" { count = var.enable_telemetry ? 1 : 0 }
data "modtm_module_source" "telemetry" {
  count       = var.enable_telemetry ? 1 : 0
  module_path = path.module
}
locals {
  role_definition_resource_substring = "/providers/Microsoft.Authorization/roleDefinitions"
  managed_identities = {
    system_assigned_user_assigned = (var.managed_identities.system_assigned || length(var.managed_identities.user_assigned_resource_ids) > 0) ? {
      this = {
        type                       = var.managed_identities.system_assigned && length(var.managed_identities.user_assigned_resource_ids) > 0 ? "SystemAssigned, UserAssigned" : length(var.managed_identities.user_assigned_resource_ids) > 0 ? "UserAssigned" : "SystemAssigned"
        user_assigned_resource_ids = var.managed_identities.user_assigned_resource_ids
      }
    } : {}
  }
  valid_module_source_regex = ["registry.terraform.io/[A|a]zure/.+", "git::https://github\\.com/[A|a]zure/.+"]
  fork_avm                  = !anytrue([for r in local.valid_module_source_regex : can(regex(r, one(data.modtm_module_source.telemetry).module_source))])
}
resource "random_uuid" "telemetry" { count = var.enable_telemetry ? 1 : 0 }
resource "modtm_telemetry" "telemetry" {
  count = var.enable_telemetry ? 1 : 0
  tags = merge({
    subscription_id = one(data.azurerm_client_config.telemetry).subscription_id
    random_id       = one(random_uuid.telemetry).result
  }, { location = var.location })
}
resource "azurerm_storage_account" "this" {
  name                = var.name
  location            = var.location
  resource_group_name = var.resource_group_name
  dynamic "identity" {
    for_each = local.managed_identities.system_assigned_user_assigned
    content {
      type         = identity.value.type
      identity_ids = identity.value.user_assigned_resource_ids
    }
  }
  dynamic "network_rules" {
    for_each = [1]
    iterator = it
    content {
      default_action = "Deny"
      dynamic "private_link_access" {
        for_each = ["a", "b"]
        content { endpoint_resource_id = "${it.value}-${private_link_access.value}" }
      }
    }
  }
  timeouts { create = "30m" }
}
resource "azurerm_private_endpoint" "this" {
  for_each  = { for k, v in var.private_endpoints : k => v }
  name      = each.value.name != null ? each.value.name : "pe-${var.name}"
  subnet_id = each.value.subnet_resource_id
  private_service_connection {
    name                           = "pse-${var.name}"
    private_connection_resource_id = azurerm_storage_account.this.id
    subresource_names              = [each.value.subresource_name]
  }
  dynamic "ip_configuration" {
    for_each = each.value.ip_configurations
    content {
      name               = ip_configuration.value.name
      private_ip_address = ip_configuration.value.private_ip_address
      member_name        = each.value.subresource_name
    }
  }
}
resource "azapi_resource_action" "key" {
  type                   = "Microsoft.Storage/storageAccounts@2023-01-01"
  resource_id            = azurerm_storage_account.this.id
  action                 = "listKeys"
  response_export_values = ["keys"]
}
resource "azurerm_management_lock" "this" {
  count      = var.lock != null ? 1 : 0
  lock_level = var.lock.kind
  scope      = azurerm_storage_account.this.id
}
resource "azurerm_role_assignment" "this" {
  for_each             = var.role_assignments
  principal_id         = each.value.principal_id
  scope                = azurerm_storage_account.this.id
  role_definition_id   = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_resource_substring)) ? each.value.role_definition_id_or_name : null
  role_definition_name = strcontains(lower(each.value.role_definition_id_or_name), lower(local.role_definition_resource_substring)) ? null : each.value.role_definition_id_or_name
}
output "resource_id" { value = azurerm_storage_account.this.id }
output "key" {
  value     = jsondecode(azapi_resource_action.key.output).keys[0].value
  sensitive = true
}
output "private_endpoints" { value = azurerm_private_endpoint.this }
output "nics" { value = [for pe in azurerm_private_endpoint.this : pe.network_interface[0].id] }
output "fqdns" { value = { for c in azurerm_private_endpoint.this["one"].custom_dns_configs : c.fqdn => c.ip_addresses } }
