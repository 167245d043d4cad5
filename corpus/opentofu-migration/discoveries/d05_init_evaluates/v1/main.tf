variable "n" {}

module "m" {
  source = "./m"
}
