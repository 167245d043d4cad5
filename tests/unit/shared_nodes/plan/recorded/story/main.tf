terraform {
  required_version = ">= 1.0"
}
variable "n" {
  type = number
  default = 2
  description = "how <many>"
  validation {
    condition = var.n > 0
    error_message = "no ${var.n}"
  }
}
variable "s" {
  sensitive = true
  default = { a = "x", b = ["1", 2] }
}
variable "u" {}
locals { l = terraform_data.a[0].output }
resource "terraform_data" "a" {
  count = var.n
  input = { x = count.index, big = 12345678901234567890123, f = 1.5, s = var.s, l = ["a&b<c>", null] }
  lifecycle {
    precondition {
      condition = var.n > 0
      error_message = "bad"
    }
  }
}
resource "terraform_data" "b" {
  for_each = toset(["k\"1", "k2"])
  input = "${each.key}-${local.l.x}"
  triggers_replace = [var.n, terraform_data.a[1].id]
  provisioner "local-exec" {
    command = "echo ${self.id}"
    when = create
  }
  lifecycle { create_before_destroy = true }
  depends_on = [terraform_data.a]
}
module "m" {
  source = "./m"
  for_each = { p = 1 }
  v = terraform_data.b["k2"].output
  w = "const"
}
data "terraform_remote_state" "r" {
  backend = "local"
  config = { path = "${path.module}/other.tfstate" }
  defaults = { q = 1 }
}
check "c" {
  data "terraform_remote_state" "n" {
    backend = "local"
    config = { path = "other.tfstate" }
  }
  assert {
    condition = terraform_data.a[0].id != "" && var.n == 3
    error_message = "n is ${var.n}"
  }
}
output "o" { 
  value = module.m["p"].out 
  depends_on = [terraform_data.a]
}
output "sens" {
  value = var.s
  sensitive = true
  description = "d"
}
output "nul" { value = null }
output "cond" {
  value = terraform_data.a[*].id
  precondition {
   condition = var.n == 2
   error_message = "zz"
  }
}
