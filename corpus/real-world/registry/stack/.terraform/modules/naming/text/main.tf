variable "parts" {
  type = list(string)
}

output "joined" {
  value = substr(replace(join("", var.parts), "-", ""), 0, 24)
}
