resource "terraform_data" "a" {}

resource "terraform_data" "kept" {}

moved {
  from = other_thing.a
  to   = terraform_data.a
}
