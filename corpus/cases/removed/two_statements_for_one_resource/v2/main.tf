module "m" {
  source = "./m"
}

removed {
  from = module.m.terraform_data.x

  lifecycle {
    destroy = false
  }
}

removed {
  from = module.n

  lifecycle {
    destroy = true
  }
}

removed {
  from = module.n.terraform_data.x

  lifecycle {
    destroy = false
  }
}
