module "m" {
  source = "./m"
  words  = local.words
}

output "n" {
  value = module.m.n
}
