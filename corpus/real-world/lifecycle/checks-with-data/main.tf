variable "limit" {
  type    = number
  default = 2
}
resource "terraform_data" "n" {
  count = 3
  input = count.index
}
check "limits" {
  data "terraform_remote_state" "none" {
    backend = "local"
    config  = { path = "${path.module}/none.tfstate" }
  }
  assert {
    condition     = length(terraform_data.n) <= var.limit
    error_message = "There are ${length(terraform_data.n)} objects, more than ${var.limit}."
  }
  assert {
    condition     = data.terraform_remote_state.none.outputs.x == 1
    error_message = "No x."
  }
}
output "n" {
  value = terraform_data.n[*].output
  precondition {
    condition     = length(terraform_data.n) > 0
    error_message = "None."
  }
}
