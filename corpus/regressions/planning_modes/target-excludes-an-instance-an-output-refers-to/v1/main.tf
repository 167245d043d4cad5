resource "terraform_data" "b" {
  for_each = toset(["a", "d"])
  input    = each.key
}
resource "terraform_data" "c" {
  input = terraform_data.b["a"].output
}
output "d" {
  value = terraform_data.b["d"].output
}
