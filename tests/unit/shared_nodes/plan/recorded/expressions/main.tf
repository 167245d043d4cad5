terraform {
  required_providers {
    terraform = { source = "terraform.io/builtin/terraform" }
  }
}
provider "terraform" {}
provider "terraform" { alias = "al" }

variable "a" { 
  type = any
  default = [1, {x = "y"}] 
}
variable "e" {
 ephemeral = true
 default = 1
}
locals { z = 1 }
resource "terraform_data" "exprs" {
  provider = terraform.al
  input = {
    dup = [var.a, var.a, var.a[1].x, var.a[1]["x"], var.a[0 + 0]]
    tpl = "x${1 + 1}y${local.z}"
    forx = [for k, v in var.a : "${k}${v}${var.a[0]}" if local.z == 1]
    splat = terraform_data.many[*].id
    splat2 = terraform_data.many.*.output.q
    idx = terraform_data.many[var.a[0]].id
    each = module.m["k"].out
    modall = module.m
    path = "${path.root}/${terraform.workspace}"
    fn = upper("x")
    cond = true ? 1 : var.a
    paren = (local.z)
    (local.z) = 1
  }
  triggers_replace = [1 + 1, "a${"b"}", null, true, { "k" = 1 }]
}
resource "terraform_data" "many" {
  count = 1 + 1
  provider = terraform
  provisioner "local-exec" {
    command = "echo ${self.id} ${path.module}"
    interpreter = ["/bin/sh", "-c"]
    environment = { A = local.z }
    on_failure = continue
    when = create
  }
  provisioner "local-exec" {
    command = "true"
    when = destroy
  }
  depends_on = [terraform_data.fe["a"], data.terraform_remote_state.d, local.z]
}
resource "terraform_data" "fe" {
  for_each = toset(["a"])
  input = true ? 1 : 2
}
resource "terraform_data" "fe2" {
  for_each = { for k in ["a"] : k => k }
  input = each.value
}
data "terraform_remote_state" "d" {
  backend = "local"
  provider = terraform.al
  config = { path = "x.tfstate" }
  defaults = { (terraform_data.fe2["a"].id) = 1 }
}
module "m" {
  source = "./m"
  for_each = { k = local.z }
  providers = { terraform = terraform.al, terraform.foo = terraform }
  depends_on = [terraform_data.fe]
  v = [for x in [1] : x]
}
module "m2" {
  source = "./m/n"
  count = 2
}
output "eph" {
  value = var.a[0]
}
output "dep" { 
 value = <<-X
   abc ${local.z}
 X
 depends_on = [module.m]
}
