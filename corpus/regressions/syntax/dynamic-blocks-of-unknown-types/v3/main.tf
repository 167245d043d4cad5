resource "terraform_data" "a" {
  foo {}
}
resource "terraform_data" "b" {
  dynamic "foo" {
    for_each = [1]
    labels = [terraform_data.a.id]
    content {}
  }
}
resource "terraform_data" "c" {
  dynamic "foo" {
    for_each = [1]
    content {
      x = terraform_data.a.id
    }
  }
}
resource "terraform_data" "d" {
  dynamic "foo" {
    for_each = bad..x
    bar {}
  }
}
