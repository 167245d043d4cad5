resource "terraform_data" "a" {}
output "o" {
  value = terraform_data.a.count
}
output "p" {
  value = terraform_data.a.for_each
}
output "q" {
  value = terraform_data.a.length
}
