data "terraform_remote_state" "r" {
  for_each = fileset(path.module, "states/*")
  backend  = "local"
  config   = { path = each.key }
}
