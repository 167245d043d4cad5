resource "terraform_data" "a" {
  input = "{}"
}

resource "terraform_data" "b" {
  input = jsondecode(terraform_data.a.output).nope
}
