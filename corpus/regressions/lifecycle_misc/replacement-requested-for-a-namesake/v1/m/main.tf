resource "terraform_data" "r" {
  for_each = toset(["a", "b"])
}

resource "terraform_data" "s" {
  count = 0
}

resource "terraform_data" "one" {}
