resource "terraform_data" "a" {
  input = 2
}

resource "sim_thing" "b" {
  count = terraform_data.a.output

  name = "b${count.index}"
}
