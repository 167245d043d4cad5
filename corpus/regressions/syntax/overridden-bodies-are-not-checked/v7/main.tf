resource "terraform_data" "a" {
  input = 1
  input2 = 1
  nope = local.x
}
