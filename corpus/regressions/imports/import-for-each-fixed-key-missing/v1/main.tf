import {
  for_each = {a = 0}
  to = terraform_data.old["x"]
  id = each.key
}
