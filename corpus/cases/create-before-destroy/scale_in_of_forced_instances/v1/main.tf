resource "terraform_data" "a" {
  count = 2
  input = "a${count.index}"
}

resource "terraform_data" "b" {
  input = join(",", terraform_data.a[*].output)

  lifecycle {
    create_before_destroy = true
  }
}
