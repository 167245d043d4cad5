locals {
  statements = {
    read  = { effect = "Allow", actions = ["get", "list"], resources = ["*"] }
    write = { effect = "Deny", actions = ["put"], resources = ["secret/*"] }
  }
}

resource "terraform_data" "policy" {
  for_each = local.statements
  input = {
    resources        = each.value.resources
    before_sensitive = sensitive(each.value.effect)
    output_changes   = { actions = each.value.actions }
    values           = jsonencode(each.value)
  }
}

output "instances" {
  value     = [for name, policy in terraform_data.policy : { name = name, resources = policy.output.resources }]
  sensitive = true
}
