variable "token" {
  ephemeral = true
  default   = "none"
}

resource "terraform_data" "a" {
}
