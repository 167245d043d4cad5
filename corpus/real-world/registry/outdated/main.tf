module "label" {
  source  = "northwind/label/null"
  version = "~> 0.26"
  name    = "old"
}
