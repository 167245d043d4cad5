variable "token" {
  type      = string
  ephemeral = true
  default   = "t0k3n"
}
locals { header = "Bearer ${var.token}" }
module "m" {
  source = "./m"
  token  = local.header
}
resource "terraform_data" "a" {
  provisioner "local-exec" {
    command     = "true"
    environment = { T = local.header }
  }
}
output "len" { value = module.m.len }
