resource "terraform_data" "a" {
  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  input = "two"
}
