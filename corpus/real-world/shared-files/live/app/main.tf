locals {
  policy = jsondecode(file("../../policies/read.json"))
  users  = { for file in fileset("../../users", "*.yaml") : trimsuffix(file, ".yaml") => yamldecode(file("../../users/${file}")) }
}

resource "terraform_data" "policy" {
  input = local.policy
}

output "users" {
  value = { for name, user in local.users : name => user.team }
}

output "greeting" {
  value = templatefile("${path.module}/../../templates/${"greeting"}.tftpl", { names = keys(local.users) })
}
