resource "terraform_data" "a" {
  input = "two"
}

resource "terraform_data" "b" {
  depends_on = [terraform_data.a]
}

module "m" {
  source     = "./m"
  depends_on = [terraform_data.b]
}
