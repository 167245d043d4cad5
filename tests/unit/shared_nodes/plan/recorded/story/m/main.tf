variable "v" { description = "vv" }
variable "w" { 
 default = "z" 
 nullable = false
}
variable "opt" {
  type = object({a=string, b=optional(number, 1)})
  default = { a = "q" }
  sensitive = true
}
resource "terraform_data" "in" {
  input = [var.v, var.w]
}
module "deep" {
  source = "../m2"
}
output "out" { 
  value = terraform_data.in.output 
}
