variable "t" {
  type = string
}

resource "terraform_data" "source" {
  input            = "steady"
  triggers_replace = var.t
}

resource "sim_thing" "user" {
  name  = "user"
  value = terraform_data.source.output
}
