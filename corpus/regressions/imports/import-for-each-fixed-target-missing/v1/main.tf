import {
  for_each = {a = "x"}
  to = terraform_data.old
  id = each.value
}
