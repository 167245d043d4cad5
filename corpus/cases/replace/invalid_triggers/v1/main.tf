resource "terraform_data" "a" {
  count = 1

  input = ["x"]
}

resource "terraform_data" "b" {
  count = 1

  lifecycle {
    replace_triggered_by = [
      terraform_data.a[each.key].input[count.index],
      terraform_data.a[count.index].input[each.key],
    ]
  }
}
