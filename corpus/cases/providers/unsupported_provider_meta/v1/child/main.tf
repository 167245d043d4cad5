terraform {
  provider_meta "terraform" {
    name = "child"
  }
}

resource "terraform_data" "y" {
  input = "y"
}

data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "state.tfstate" }
}
