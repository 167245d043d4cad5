locals { existing = { a = "id-a", b = "id-b" } }
import {
  for_each = local.existing
  to       = terraform_data.kept[each.key]
  id       = each.value
}
resource "terraform_data" "kept" {
  for_each = local.existing
}
removed {
  from = terraform_data.gone
  lifecycle { destroy = false }
}
removed {
  from = module.legacy
  lifecycle { destroy = true }
}
