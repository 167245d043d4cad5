resource "terraform_data" "a" {
  input = { power = pow(2, 60), larger = pow(2, 70), third = 1 / 3 }
}

output "powers" {
  value = [pow(2, 60), pow(2, 80) + 1, floor(pow(2, 61)), pow(10, 20), log(5, 3)]
}

output "set" {
  value = toset([pow(2, 62)])
}

output "zero" {
  value = -0
}
