resource "terraform_data" "before" {
}

module "m" {
  source = "./m"

  depends_on = [terraform_data.before]
}

resource "terraform_data" "after" {
  depends_on = [module.m]
}
