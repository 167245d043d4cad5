locals {
  teams = {
    core = { members = ["ada", "bob"], admin = true }
    web  = { members = ["cyd"], admin = false }
  }
}

module "team" {
  source   = "./team"
  for_each = local.teams
  name     = each.key
  members  = each.value.members
}

module "admins" {
  source  = "./team"
  count   = anytrue([for team in local.teams : team.admin]) ? 1 : 0
  name    = "admins"
  members = flatten([for name, team in local.teams : team.admin ? team.members : []])
  depends_on = [module.team]
}

output "sizes" {
  value = { for name, team in module.team : name => length(team.members) }
}

output "first_admin" {
  value = one(module.admins[*].members[0])
}
