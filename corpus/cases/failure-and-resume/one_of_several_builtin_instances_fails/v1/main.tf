resource "terraform_data" "k" {
  for_each = toset(["a", "b"])

  provisioner "local-exec" {
    command = each.key == "b" ? "exit 1" : "true"
  }
}

resource "terraform_data" "of_one" {
  input = terraform_data.k["a"].id
}

resource "terraform_data" "of_all" {
  input = [for made in terraform_data.k : made.id]
}
