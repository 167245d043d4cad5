resource "terraform_data" "a" {}

data "terraform_remote_state" "r" {
  backend    = "local"
  config     = { path = "other.tfstate" }
  depends_on = [terraform_data.a]

  lifecycle {
    precondition {
      condition     = terraform_data.a.id == "none"
      error_message = "There is one already."
    }
  }
}
