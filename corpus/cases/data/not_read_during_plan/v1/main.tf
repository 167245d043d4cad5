variable "given" {
  type = any
}

data "terraform_remote_state" "r" {
  backend = "local"
  config  = { path = var.given.path }

  lifecycle {
    precondition {
      condition     = var.given.ok
      error_message = "Not to be read."
    }
  }
}

output "a" {
  value = data.terraform_remote_state.r.outputs.a
}
