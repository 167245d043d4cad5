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
variable "val" {
  default = "x"
  validation {
    condition = var.val == "x"
    error_message = "Bad val."
  }
  validation {
    condition = var.val == "y"
    error_message = "Bad val ${var.sec} and ${var.val}."
  }
  validation {
    condition = var.val == "y"
    error_message = var.val == "x" ? null : "a"
  }
  validation {
    condition = var.val == "y"
    error_message = var.l
  }
  validation {
    condition = var.val == "x" ? null : true
    error_message = "z"
  }
  validation {
    condition = var.val == "x" ? "zz" : "y"
    error_message = "z"
  }
  validation {
    condition = var.o.z == var.val
    error_message = "z"
  }
}
resource "terraform_data" "r" { input = "x" }
resource "terraform_data" "cond" {
  lifecycle {
    precondition {
      condition = var.l
      error_message = "no ${var.s}"
    }
  }
}
resource "terraform_data" "cond2" {
  lifecycle {
    precondition {
      condition = var.nul
      error_message = "no ${var.s}"
    }
  }
}
resource "terraform_data" "cond3" {
  lifecycle {
    precondition {
      condition = var.n > 10
      error_message = "x ${var.sec} ${var.s}"
    }
  }
}
resource "terraform_data" "cond4" {
  lifecycle {
    precondition {
      condition = var.n > 10
      error_message = var.nul
    }
  }
}
resource "terraform_data" "cond5" {
  lifecycle {
    precondition {
      condition = var.n > 10
      error_message = var.l
    }
    }
}
resource "terraform_data" "cond6" {
  lifecycle {
    precondition {
      condition = var.o.z > 10
      error_message = var.o.y
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
    error_message = var.nul
  }
  assert {
    condition = var.o.z > 9
    error_message = var.nul
  }
}
module "m" {
  source = "./m"
  a = var.s
}
module "m4" {
  source = "./m"
  a = var.nul
}
module "m5" {
  source = "./m"
  a = var.n
}
module "m6" {
  source = "./m"
  a = var.o.zz
}
output "pre" { 
value = 1
precondition {
  condition = var.s == "x"
  error_message = "yes"
  }
  }
import {
  to = terraform_data.imp2
  id = terraform_data.r.id
}
import {
  to = terraform_data.imp
  id = var.nul
}
resource "terraform_data" "imp" {}
resource "terraform_data" "imp2" {}
resource "terraform_data" "prov" {
  input = var.o.zz
}
resource "terraform_data" "prov2" {
  count = 2
  input = var.l[count.index + 1]
}
resource "terraform_data" "prov3" {
  for_each = { a = "x", b = "y" }
  input = each.value.foo
}
locals {
  e = var.l[9]
}
resource "terraform_data" "tr" {
}
