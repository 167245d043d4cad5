resource "sim_thing" "a" {
  name  = "a"
  value = "same"
}
