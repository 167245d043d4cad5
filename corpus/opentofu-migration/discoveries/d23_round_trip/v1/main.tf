variable "secret" {
  default   = "topsecret"
  sensitive = true
}

resource "terraform_data" "a" {
  input = var.secret
}
