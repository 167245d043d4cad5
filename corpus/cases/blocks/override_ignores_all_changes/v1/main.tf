resource "terraform_data" "a" {
  input            = "old"
  triggers_replace = 1
}
