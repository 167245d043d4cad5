resource "terraform_data" "x" {
  input = "state.tfstate"
}

data "terraform_remote_state" "one" {
  backend = "local"
  config  = { path = terraform_data.x.output }

  lifecycle {
    postcondition {
      condition     = self.outputs.a == "other"
      error_message = "One is not the other."
    }
  }
}

data "terraform_remote_state" "many" {
  count   = 1
  backend = "local"
  config  = { path = terraform_data.x.output }

  lifecycle {
    postcondition {
      condition     = self.outputs.a == "found"
      error_message = "One of many was not found."
    }
  }
}

output "a" {
  value = data.terraform_remote_state.many[*].outputs
}
