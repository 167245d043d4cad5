module "m" {
  source = "./m"
  count  = 3
}

module "n" {
  source = "./m"
}

resource "terraform_data" "q" {
  count = 2
}

resource "terraform_data" "r" {}
