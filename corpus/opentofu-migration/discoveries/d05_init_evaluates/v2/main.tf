module "m" {
  source = "./m"
}

output "never" {
  value = 1

  precondition {
    condition     = module.m.one == 2
    error_message = "One is not two."
  }
}
