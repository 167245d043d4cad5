resource "terraform_data" "replaced" {
  input            = "one"
  triggers_replace = "one"
}

resource "terraform_data" "unchanged" {
  input = "one"
}
