resource "terraform_data" "a" {
  foo {}
}
resource "terraform_data" "b" {
  dynamic "foo" {
    for_each = terraform_data.a.id
    content {}
  }
}
