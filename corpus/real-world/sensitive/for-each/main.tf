variable "keys" {
  type      = set(string)
  default   = ["a"]
  sensitive = true
}

resource "terraform_data" "a" {
  for_each = var.keys
}
