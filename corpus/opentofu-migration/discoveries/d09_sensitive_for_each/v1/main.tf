variable "secrets" {
  default   = ["topsecret"]
  sensitive = true
}

resource "terraform_data" "a" {
  for_each = toset(var.secrets)
}
