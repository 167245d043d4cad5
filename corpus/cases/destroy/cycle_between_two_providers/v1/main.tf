resource "sim_thing" "a" {
  name = "a"
}

resource "terraform_data" "b" {
}
