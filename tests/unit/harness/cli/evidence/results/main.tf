variable "s" { default = "str" }
variable "n" { default = 5 }
variable "o" { default = { a = 1, b = { c = [1,2] } } }
variable "l" { default = ["a","b"] }
variable "nul" { default = null }
variable "sec" { 
 default = "secret" 
 sensitive = true 
 }
variable "secset" { 
 type = set(string)
 default = ["secret"]
 sensitive = true 
 }
variable "eph" { 
 default = "secret" 
 ephemeral = true 
 }
variable "val" {
  default = "x"
  validation {
    condition = var.val == var.s
    error_message = "Bad val ${var.val}."
  }
  validation {
    condition = var.val == var.sec
    error_message = "Bad val."
  }
}
resource "terraform_data" "r" { input = "x" }
resource "terraform_data" "c1" { count = terraform_data.r.output }
resource "terraform_data" "c2" { count = var.s }
resource "terraform_data" "c3" { count = var.nul }
resource "terraform_data" "c4" { count = -var.n }
resource "terraform_data" "c5" { count = var.n + 0.5 }
resource "terraform_data" "f1" { for_each = toset([terraform_data.r.id]) }
resource "terraform_data" "f2" { for_each = var.s }
resource "terraform_data" "f3" { for_each = var.nul }
resource "terraform_data" "f5" { for_each = { (terraform_data.r.id) = var.s } }
resource "terraform_data" "f6" { for_each = toset([var.n, null]) }
resource "terraform_data" "f7" { for_each = var.l }
resource "terraform_data" "f8" { for_each = terraform_data.r.output == "x" ? { a = 1 } : {} }
resource "terraform_data" "f9" { for_each = toset([{a=var.s}]) }
resource "terraform_data" "f10" { for_each = nonsensitive(terraform_data.r.output == "x" ? var.secset : toset([])) }
resource "terraform_data" "cond" {
  lifecycle {
    precondition {
      condition = var.s == "x" && terraform_data.r.id != var.sec
      error_message = "no ${var.s}"
    }
    precondition {
      condition = var.l
      error_message = "no ${var.s}"
    }
    precondition {
      condition = var.nul
      error_message = var.l
    }
    precondition {
      condition = var.n > 10
      error_message = "x ${var.sec}"
    }
    precondition {
      condition = var.n > 10
      error_message = var.nul
    }
    precondition {
      condition = var.n > 10
      error_message = var.eph
    }
  }
}
resource "terraform_data" "cond2" {
  lifecycle {
    precondition {
      condition = var.s == "x" && true
      error_message = "no ${var.s}"
    }
    postcondition {
      condition = self.id != "y" && var.s == "x" 
      error_message = "no ${var.s}"
    }
  }
}
resource "terraform_data" "cond3" {
  lifecycle {
    postcondition {
      condition = var.s == "x"  && self.id != "y" 
      error_message = "no ${self.id}"
    }
  }
}
check "k" {
  assert {
    condition = terraform_data.r.id == var.s
    error_message = "no"
  }
  assert {
    condition = terraform_data.r.id == var.s && var.n > 9
    error_message = "no ${var.sec}"
  }
  assert {
    condition = var.n > 9
    error_message = "no"
  }
}
module "m" {
  source = "./m"
  a = var.s
  b = var.l
  v = var.o
}
output "pre" { 
value = 1
precondition {
  condition = var.s == "x"
  error_message = "yes"
  }
  }
import {
  to = terraform_data.imp
  id = var.nul
}
import {
  to = terraform_data.imp2
  id = terraform_data.r.id
}
import {
  to = terraform_data.imp3
  id = var.sec
}
import {
  for_each = terraform_data.r.id
  to = terraform_data.imp3[each.key]
  id = var.sec
}
import {
  for_each = toset([terraform_data.r.id])
  to = terraform_data.imp5[each.key]
  id = "x"
}
resource "terraform_data" "imp" {}
resource "terraform_data" "imp2" {}
resource "terraform_data" "imp3" {}
resource "terraform_data" "imp5" {}
resource "terraform_data" "imp6" { count = 1 }
resource "terraform_data" "prov" {
  provisioner "local-exec" {
    command = var.l
  }
  lifecycle {
    
  }
}
