provider "terraform" {
  alias    = "by"
  for_each = module.m.o
}
module "m" {
  source = "./m"
}
