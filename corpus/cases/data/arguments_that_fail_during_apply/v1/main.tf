variable "chosen" {
  type = string
}

variable "secret" {
  type      = string
  ephemeral = true
}

resource "terraform_data" "x" {
  input = var.chosen
}

data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = { a = "state.tfstate", b = var.secret }[terraform_data.x.output] }
}
