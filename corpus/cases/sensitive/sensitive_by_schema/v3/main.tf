resource "sim_thing" "x" {
  name   = "x"
  secret = "hush"
}

resource "sim_thing" "y" {
  for_each = toset([sim_thing.x.secret])

  name = "y"
}
