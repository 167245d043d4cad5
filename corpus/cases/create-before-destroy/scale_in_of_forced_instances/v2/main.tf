resource "terraform_data" "a" {
  count = 1
  input = "a${count.index}"
}

resource "terraform_data" "b" {
  input = join(",", terraform_data.a[*].output)

  lifecycle {
    create_before_destroy = true
  }
}
