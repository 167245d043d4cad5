data "terraform_remote_state" "r" {
  for_each = fileset(path.module, "states/*")
  backend  = "local"
  config   = { path = each.key }
}

output "outputs" {
  value = { for path, read in data.terraform_remote_state.r : path => read.outputs }
}
