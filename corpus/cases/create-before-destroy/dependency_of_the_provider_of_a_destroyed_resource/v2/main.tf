provider "sim" {
  region = terraform_data.a.id
}

resource "terraform_data" "a" {
  input = "two"
}
