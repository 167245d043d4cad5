moved {
  to = terraform_data.a
}

moved {
  from = ephemeral.a.b
  to   = terraform_data.a
}

moved {
  from = module.m
  to   = 1 + 1
}

moved {
  from = module.m
  to   = terraform_data.a
}

moved {
  from = var.x
  to   = resource.terraform_data.a
}
