variable "number" {}

ephemeral "simcloud_token" "t" {
  count = var.number
  name  = "t"
}
