resource "sim_thing" "some" {
  count = 2
  name  = "again-${count.index}"
}

resource "sim_thing" "user" {
  name   = "user"
  parent = sim_thing.some[1].id
}

resource "terraform_data" "aside" {
  input = "x"
}
