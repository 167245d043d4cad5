resource "terraform_data" "a" {
  more = local.z
  huh "x" "y" {}
}
