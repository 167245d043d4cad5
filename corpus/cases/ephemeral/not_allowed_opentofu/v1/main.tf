variable "secret" {
  type      = string
  ephemeral = true
}

resource "simcloud_updated" "x" {
  name  = "x"
  value = var.secret
}

resource "simcloud_write_only" "y" {
  name   = "y"
  secret = var.secret
}

module "child" {
  source = "./child"
  plain  = var.secret
}

output "o" {
  value = var.secret
}
