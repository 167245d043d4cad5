output "o" {
  value = [terraform_data.none.id, data.terraform_remote_state.none]
}
