module "m" {
  source   = "./m"
  for_each = toset(["k"])
}

resource "terraform_data" "b" {
  for_each = toset(["k"])
}
