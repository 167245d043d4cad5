resource "terraform_data" "a" {}

module "m" {
  source     = "./m"
  given      = {}
  depends_on = [terraform_data.a]
}
