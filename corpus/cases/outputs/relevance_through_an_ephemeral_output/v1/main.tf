variable "tok" {
  type      = string
  ephemeral = true
  default   = "t"
}
module "m" {
  source = "./m"
  tok    = var.tok
}
output "known" {
  value = ephemeralasnull(module.m.e) == null
}
