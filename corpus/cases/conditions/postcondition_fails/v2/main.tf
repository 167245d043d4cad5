resource "sim_thing" "x" {
  name  = "x"
  value = "z"

  lifecycle {
    postcondition {
      condition     = self.id == "y-1"
      error_message = "The id is ${self.id}."
    }
  }
}
