resource "terraform_data" "base" {
  input = "base"
}

resource "terraform_data" "above" {
  input            = terraform_data.base.output
  triggers_replace = terraform_data.base.id
}
