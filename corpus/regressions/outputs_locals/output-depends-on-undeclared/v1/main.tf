resource "terraform_data" "a" {}
output "o" {
  value = 1
  depends_on = [data.terraform_remote_state.nope, var.nope, local.nope]
}
