resource "terraform_data" "z" {}
module "m" {
  source = "./m"
  keys = [terraform_data.z.id]
}
