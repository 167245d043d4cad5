module "m" {
  source = "./m"
  count = -1
  depends_on = [terraform_data.nope]
}
