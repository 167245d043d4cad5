resource "terraform_data" "a" {
  nope = local.x
  input = 1
  what {
    a = local.y
  }
  dynamic "d" {
    for_each = [1]
    content {}
  }
}
