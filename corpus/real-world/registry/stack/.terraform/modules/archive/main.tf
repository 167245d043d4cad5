variable "tags" {
  type = map(string)
}

output "count" {
  value = length(var.tags)
}
