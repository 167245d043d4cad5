variable "region" {}

variable "sizes" {
  type = list(number)
}

variable "tags" {
  type = map(string)
}

output "all" {
  value = [var.region, sum(var.sizes), var.tags]
}
