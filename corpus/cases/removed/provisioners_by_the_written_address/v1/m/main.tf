resource "terraform_data" "namesake" {
  input = "in the module"
}

resource "terraform_data" "other" {
  input = "other"
}

resource "terraform_data" "named_by_the_root" {
  input = "named by the root"
}
