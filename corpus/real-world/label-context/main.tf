variable "context" {
  type = any
  default = {
    enabled        = true, namespace = null, environment = null, stage = null, name = null, delimiter = null
    attributes     = [], tags = {}, label_order = [], regex_replace_chars = null, id_length_limit = null
    label_key_case = null, descriptor_formats = {}, labels_as_tags = ["unset"]
  }
  validation {
    condition     = lookup(var.context, "label_key_case", null) == null ? true : contains(["lower", "title", "upper"], var.context["label_key_case"])
    error_message = "Allowed values: lower, title, upper."
  }
}
variable "namespace" {
  type    = string
  default = "eg"
}
variable "attributes" {
  type    = list(string)
  default = ["public", "public", "web"]
}
variable "id_length_limit" {
  type    = number
  default = 12
  validation {
    condition     = var.id_length_limit == null ? true : var.id_length_limit >= 6 || var.id_length_limit == 0
    error_message = "The id_length_limit must be >= 6 if supplied (not null), or 0 for unlimited length."
  }
}
locals {
  defaults = { label_order = ["namespace", "environment", "stage", "name", "attributes"], delimiter = "-", regex = "/[^-a-zA-Z0-9]/" }
  input = {
    namespace  = var.namespace == null ? var.context.namespace : var.namespace
    attributes = compact(distinct(concat(coalesce(var.context.attributes, []), coalesce(var.attributes, []))))
    tags       = merge(var.context.tags, { ManagedBy = "x" })
  }
  norm         = { for k in ["namespace", "environment", "stage", "name"] : k => (lookup(local.input, k, null) == null && try(var.context[k], null) == null) ? "" : lower(replace(coalesce(lookup(local.input, k, null), try(var.context[k], null)), local.defaults.regex, "")) }
  id_context   = merge(local.norm, { attributes = join(local.defaults.delimiter, local.input.attributes) })
  id_full      = join(local.defaults.delimiter, [for l in local.defaults.label_order : local.id_context[l] if length(local.id_context[l]) > 0])
  id_hash      = substr(md5(local.id_full), 0, 5)
  id           = var.id_length_limit != 0 && length(local.id_full) > var.id_length_limit ? "${substr(local.id_full, 0, var.id_length_limit - 6)}-${local.id_hash}" : local.id_full
  tags_as_list = flatten([for k in keys(local.input.tags) : merge({ key = k, value = local.input.tags[k] }, { propagate = "true" })])
  descriptor   = { for k, v in { stack = { format = "%v-%v", labels = ["namespace", "name"] } } : k => format(v.format, [for l in v.labels : local.id_context[l]]...) }
}
output "id" { value = local.id }
output "descriptors" { value = local.descriptor }
output "tags_as_list" { value = local.tags_as_list }
resource "null_resource" "default" {
  count    = lookup(var.context, "enabled", true) ? 1 : 0
  triggers = { id = local.id, attrs = join("|", local.input.attributes) }
}
