module "m0" {
  source = "./m"
  name   = "first"
}

module "m1" {
  source = "./m"
  name   = module.m0.name
}

module "m2" {
  source = "./m"
  name   = module.m1.name
}

module "m3" {
  source = "./m"
  name   = module.m2.name
}

module "m4" {
  source = "./m"
  name   = module.m3.name
}

module "m5" {
  source = "./m"
  name   = module.m4.name
}

module "m6" {
  source = "./m"
  name   = module.m5.name
}

module "m7" {
  source = "./m"
  name   = module.m6.name
}

module "m8" {
  source = "./m"
  name   = module.m7.name
}

module "m9" {
  source = "./m"
  name   = module.m8.name
}

module "m10" {
  source = "./m"
  name   = module.m9.name
}

module "m11" {
  source = "./m"
  name   = module.m10.name
}

module "m12" {
  source = "./m"
  name   = module.m11.name
}

module "m13" {
  source = "./m"
  name   = module.m12.name
}

module "m14" {
  source = "./m"
  name   = module.m13.name
}

module "m15" {
  source = "./m"
  name   = module.m14.name
}

module "m16" {
  source = "./m"
  name   = module.m15.name
}

module "m17" {
  source = "./m"
  name   = module.m16.name
}

module "m18" {
  source = "./m"
  name   = module.m17.name
}

module "m19" {
  source = "./m"
  name   = module.m18.name
}

module "m20" {
  source = "./m"
  name   = module.m19.name
}

module "m21" {
  source = "./m"
  name   = module.m20.name
}

module "m22" {
  source = "./m"
  name   = module.m21.name
}

module "m23" {
  source = "./m"
  name   = module.m22.name
}

module "m24" {
  source = "./m"
  name   = module.m23.name
}

module "m25" {
  source = "./m"
  name   = module.m24.name
}

module "m26" {
  source = "./m"
  name   = module.m25.name
}

module "m27" {
  source = "./m"
  name   = module.m26.name
}

module "m28" {
  source = "./m"
  name   = module.m27.name
}

module "m29" {
  source = "./m"
  name   = module.m28.name
}

output "last" {
  value = length(module.m29.name)
}
