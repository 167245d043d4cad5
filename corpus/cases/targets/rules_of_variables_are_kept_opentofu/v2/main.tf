resource "terraform_data" "given" {
  input = "b"
}

resource "terraform_data" "many" {
  count = 2
  input = "new"
}

resource "terraform_data" "other" {}

module "m" {
  source = "./m"
  value  = terraform_data.given.output
  ids    = terraform_data.many[*].id
}
