terraform {
  required_providers {
    azurerm = {
      source  = "hashicorp/azurerm"
      version = ">= 1.0"
    }
  }
}

provider "azurerm" {
  features {}
}

locals {
  types = { rg = 90, st = 24, kv = 24, vnet = 64 }
  names = { for type, most in local.types : type => substr(replace("${type}-app-weu", "/[^a-z0-9-]/", ""), 0, most) }
}

resource "azurerm_resource_group" "this" {
  name     = local.names.rg
  location = "westeurope"
}

resource "azurerm_virtual_network" "this" {
  name                = local.names.vnet
  resource_group_name = azurerm_resource_group.this.name
  address_space       = ["10.0.0.0/16"]
  dynamic "subnet" {
    for_each = range(3)
    content {
      name             = "s${subnet.value}"
      address_prefixes = [cidrsubnet("10.0.0.0/16", 8, subnet.value)]
    }
  }
}

output "subnets" {
  value = azurerm_virtual_network.this.subnet[*].name
}
