variable "ooo" {
 default = null
}
resource "terraform_data" "deep" {
  count = 2
  input = nonsensitive(timestamp())
}
output "x" {
  value = "lit"
}
