resource "sim_thing" "x" {
  value = "nameless"
}

resource "sim_thing" "y" {
  name  = "y"
  valeu = "misspelt"
}
