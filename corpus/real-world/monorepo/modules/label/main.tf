variable "parts" {
  type = list(string)
}

output "id" {
  value = lower(join("-", compact(var.parts)))
}
