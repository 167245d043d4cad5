resource "terraform_data" "behind" {
  count = 1
  input = "y"
}

resource "terraform_data" "between" {
  input = terraform_data.behind[0].output
}

resource "terraform_data" "target" {
  input = terraform_data.between.output
}

output "behind" {
  value = terraform_data.behind[*].output

  precondition {
    condition     = join("", terraform_data.behind[*].output) == "x"
    error_message = "Not any more."
  }
}
