variable "old" {
  default    = null
  deprecated = "Use new."
}
output "o" {
  value      = 1
  deprecated = "Gone soon."
}
