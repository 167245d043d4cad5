variable "text" {}

module "c" {
  source = "./c"
  count  = 2
  text   = "${var.text}b${count.index}"
}

output "text" {
  value = join(",", module.c[*].text)
}
