resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" {
  lifecycle { replace_triggered_by = [terraform_data.a[1-1].id, (terraform_data.a), terraform_data.a[7]] }
}
