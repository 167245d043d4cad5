provider "sim" {
  region = terraform_data.a.id
}

resource "terraform_data" "a" {
  input = "one"
}

resource "sim_thing" "b" {
  name = "b"

  lifecycle {
    create_before_destroy = true
  }
}
