module "sizes" {
  source = "./sizes"
}

resource "sim_thing" "t" {
  count = module.sizes.n

  name   = "t${count.index}"
  parent = module.sizes.id
}
