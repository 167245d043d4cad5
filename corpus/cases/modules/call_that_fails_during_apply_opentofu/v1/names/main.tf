resource "terraform_data" "a" {
  input = "one"
}

output "all" {
  value = toset(["x"])

  precondition {
    condition     = terraform_data.a.output == "two"
    error_message = "Not two."
  }
}
