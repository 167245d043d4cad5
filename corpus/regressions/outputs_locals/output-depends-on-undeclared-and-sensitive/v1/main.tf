output "o" {
  value = sensitive(1)
  depends_on = [terraform_data.nope]
}
