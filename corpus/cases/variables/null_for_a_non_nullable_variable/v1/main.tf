variable "v" {
  default  = "d"
  nullable = false
}

variable "w" {
  type    = number
  default = "7"
}

resource "terraform_data" "x" {
  input = var.v
}

output "w" {
  value = var.w + 1
}
