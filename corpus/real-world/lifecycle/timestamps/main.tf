resource "terraform_data" "built" {
  input = formatdate("YYYY", plantimestamp())
  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "restless" {
  input = timestamp()
}
