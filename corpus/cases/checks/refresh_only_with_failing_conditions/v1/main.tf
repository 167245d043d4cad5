resource "sim_thing" "a" {
  name  = "a"
  value = "good"

  lifecycle {
    postcondition {
      condition     = self.value == "good"
      error_message = "The value is ${self.value}."
    }
  }
}

output "value" {
  value = sim_thing.a.value

  precondition {
    condition     = sim_thing.a.value == "good"
    error_message = "Not good."
  }
}
