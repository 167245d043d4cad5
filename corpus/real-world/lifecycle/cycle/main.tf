resource "terraform_data" "a" {
  input = terraform_data.b.output
}

resource "terraform_data" "b" {
  input = module.m.text
}

module "m" {
  source = "./m"
  of     = terraform_data.a.output
}
