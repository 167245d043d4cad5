variable "alias" {
  default = "north"
}

resource "terraform_data" "a" {
  provider = "terraform.${var.alias}"
}

resource "terraform_data" "b" {
  provider = "terraform.north.by.north"
}
