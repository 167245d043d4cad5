resource "terraform_data" "b" {
  lifecycle {
    replace_triggered_by = [terraform_data.missing, terraform_data.gone[0].input]
  }
}
