resource "sim_thing" "x" {
  name   = "x"
  secret = "hush"
}

resource "sim_thing" "y" {
  name  = "y"
  value = "of ${sim_thing.x.secret}"
}

output "o" {
  value     = sim_thing.x.secret
  sensitive = true
}
