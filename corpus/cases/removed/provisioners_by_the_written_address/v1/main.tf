module "m" {
  source = "./m"
}

resource "terraform_data" "namesake" {
  input = "in the root"
}

resource "terraform_data" "twice" {
  input = "twice"
}
