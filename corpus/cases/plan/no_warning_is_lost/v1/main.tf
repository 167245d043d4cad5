resource "simcloud_deprecated" "x" {
  name      = "x"
  old_value = "1"

  lifecycle {
    postcondition {
      condition     = self.old_value == "2"
      error_message = "Not 2."
    }
  }
}

resource "simcloud_deprecated_type" "y" {
  name  = "y"
  value = "1"
}
