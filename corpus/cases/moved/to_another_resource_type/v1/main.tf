resource "simcloud_updated" "near" {
  name  = "near"
  value = "1"
}

resource "terraform_data" "far" {
  input = "1"
}
