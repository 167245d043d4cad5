module "a" {
  source = "./a"
  text   = "x"
}

output "text" {
  value = module.a.text
}
