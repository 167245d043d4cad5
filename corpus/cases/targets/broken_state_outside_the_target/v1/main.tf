resource "terraform_data" "near" {
  input = "near"
}

resource "terraform_data" "far" {
  input = "far"
}
