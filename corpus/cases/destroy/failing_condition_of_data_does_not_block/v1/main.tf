variable "v" {
  type = string
}

resource "terraform_data" "a" {
}

data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = "other.tfstate" }

  lifecycle {
    postcondition {
      condition     = self.outputs.x == var.v
      error_message = "Not what was asked for."
    }
  }
}
