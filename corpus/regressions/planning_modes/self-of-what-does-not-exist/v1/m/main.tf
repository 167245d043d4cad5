resource "terraform_data" "keyed" {
  for_each = toset(["x"])
  lifecycle {
    postcondition {
      condition     = self.id == null
      error_message = "It never holds."
    }
  }
}
