module "alb" {
  source = "./alb"
  count  = 1
}

moved {
  from = module.alb
  to   = module.alb[0]
}

moved {
  from = sim_thing.lb
  to   = module.alb.sim_thing.lb
}
