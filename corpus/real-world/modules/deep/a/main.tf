variable "text" {}

module "b" {
  source = "../b"
  text   = "${var.text}a"
}

output "text" {
  value = module.b.text
}
