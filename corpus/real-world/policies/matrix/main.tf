locals {
  environments = ["dev", "stage", "prod"]
  teams = {
    core = { members = ["ann", "bob"], roles = ["read", "write"] }
    data = { members = ["cyd"], roles = ["read"] }
  }
  bindings = merge([
    for team, spec in local.teams : {
      for pair in setproduct(spec.members, spec.roles) : "${team}/${pair[0]}/${pair[1]}" => {
        team   = team
        member = pair[0]
        role   = pair[1]
      }
    }
  ]...)
  by_role = { for key, b in local.bindings : b.role => b.member... }
  matrix  = { for env in local.environments : env => { for k, v in local.bindings : k => v if !(env == "prod" && v.role == "write") } }
}
resource "terraform_data" "binding" {
  for_each = local.bindings
  input    = each.value
  lifecycle {
    precondition {
      condition     = contains(["read", "write"], each.value.role)
      error_message = "Role ${each.value.role} of ${each.key} is unknown."
    }
  }
}
output "by_role" { value = { for r, m in local.by_role : r => sort(distinct(m)) } }
output "prod" { value = keys(local.matrix["prod"]) }
