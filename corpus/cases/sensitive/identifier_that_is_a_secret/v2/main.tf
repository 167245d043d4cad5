variable "identifier" {
  default   = "not-to-be-told"
  sensitive = true
}

resource "tfcoremock_simple_resource" "a" {
  id     = var.identifier
  string = "2"
}
