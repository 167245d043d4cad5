resource "sim_thing" "x" {
  name  = "x"
  value = "z"

  lifecycle {
    postcondition {
      condition     = self.value == "y"
      error_message = "The value is ${self.value}."
    }
  }
}
