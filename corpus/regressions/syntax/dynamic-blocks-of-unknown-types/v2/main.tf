resource "terraform_data" "b" {
  dynamic "foo" {
    for_each = terraform_data.nope.id
    labels = [terraform_data.nada.id]
    iterator = it
    content {
      x = terraform_data.zip.id
      dynamic "bar" {
        for_each = terraform_data.zap.id
        content {}
      }
    }
  }
}
