resource "terraform_data" "x" {
}

resource "terraform_data" "y" {
}

moved {
  from = terraform_data.a
  to   = terraform_data.x
}

moved {
  from = terraform_data.a
  to   = terraform_data.y
}
