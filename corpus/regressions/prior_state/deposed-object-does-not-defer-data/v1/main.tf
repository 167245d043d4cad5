resource "terraform_data" "a" {
  input = "x"
}

resource "terraform_data" "between" {
  count = 3
  input = terraform_data.a.output
}

data "terraform_remote_state" "b" {
  backend    = "local"
  config     = { path = "${path.module}/other.tfstate" }
  depends_on = [terraform_data.a, terraform_data.between]
}

output "b" {
  value = data.terraform_remote_state.b.outputs.o
}
