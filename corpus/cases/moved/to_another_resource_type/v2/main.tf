resource "simcloud_renamed" "near" {
  name  = "near"
  value = "2"
}

resource "simcloud_renamed" "far" {
  name  = "far"
  value = "1"
}

moved {
  from = simcloud_updated.near
  to   = simcloud_renamed.near
}

moved {
  from = terraform_data.far
  to   = simcloud_renamed.far
}
