resource "terraform_data" "behind" {
  count = 1
  input = "x"
}

resource "terraform_data" "between" {
  input = terraform_data.behind[0].output
}

resource "terraform_data" "target" {
  input = terraform_data.between.output
}

output "behind" {
  value = terraform_data.behind[*].output
}
