resource "terraform_data" "a" { count = 2 }
resource "terraform_data" "b" {
  count = 1
  lifecycle { replace_triggered_by = [terraform_data.a[count.index.foo]] }
}
