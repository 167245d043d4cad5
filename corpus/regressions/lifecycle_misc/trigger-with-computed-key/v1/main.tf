resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" {
  count = 2
  lifecycle { replace_triggered_by = [terraform_data.a[count.index + 1].id] }
}
