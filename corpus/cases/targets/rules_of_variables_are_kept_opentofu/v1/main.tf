resource "terraform_data" "given" {
  input = "a"
}

resource "terraform_data" "many" {
  count = 2
}

resource "terraform_data" "other" {}

module "m" {
  source = "./m"
  value  = terraform_data.given.output
  ids    = terraform_data.many[*].id
}
