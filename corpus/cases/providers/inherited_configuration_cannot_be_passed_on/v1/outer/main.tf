module "inner" {
  source    = "./inner"
  providers = { sim.there = sim }
}
