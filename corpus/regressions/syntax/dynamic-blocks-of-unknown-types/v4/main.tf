resource "terraform_data" "b" {
  dynamic "foo" {
    for_each = nope
  }
}
resource "terraform_data" "c" {
  dynamic "foo" {
    for_each = foo.bar[*]
    iterator = "x"
    content {}
  }
  dynamic "foo2" {
    for_each = null
    content {}
    content {}
  }
  dynamic "foo3" {
    content {}
  }
}
