data "terraform_remote_state" "other" {
  backend = "local"

  config = {
    path = "other.json"
  }
}

output "seen" {
  value = data.terraform_remote_state.other.outputs.greeting
}
