data "terraform_remote_state" "a" {
  config = { path = "y" }
  dynamic "x" {
    for_each = []
    content {}
  }
}
resource "terraform_data" "a" {
  input = terraform_data.nope
  outputt = terraform_data.nope2
}
