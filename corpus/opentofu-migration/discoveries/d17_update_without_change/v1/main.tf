variable "t" {
  default = 1
}

resource "terraform_data" "a" {
  triggers_replace = var.t
}

resource "terraform_data" "b" {
  input = terraform_data.a.id != "" ? "same" : "other"
}
