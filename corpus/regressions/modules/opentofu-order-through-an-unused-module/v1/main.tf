resource "terraform_data" "first" {}

module "m" {
  source = "./m"
  given  = terraform_data.first.id
}

resource "terraform_data" "last" {
  depends_on = [module.m]
}
