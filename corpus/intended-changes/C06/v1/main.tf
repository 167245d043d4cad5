provider "terraform" {
  alias = "eu"
}

module "m" {
  source = "./m"

  providers = {
    terraform.eu = terraform.eu
  }
}
