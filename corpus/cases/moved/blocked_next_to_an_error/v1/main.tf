variable "v" {
  type = string
}

resource "terraform_data" "a" {
}

resource "terraform_data" "b" {
}
