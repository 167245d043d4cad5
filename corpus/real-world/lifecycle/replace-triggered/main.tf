resource "terraform_data" "version" {
  input = "1.2.3"
}

resource "terraform_data" "app" {
  input            = "app"
  triggers_replace = [terraform_data.version.output]
  lifecycle {
    create_before_destroy = true
    replace_triggered_by  = [terraform_data.version]
    precondition {
      condition     = can(regex("^\\d+\\.\\d+", terraform_data.version.output))
      error_message = "Not a version."
    }
  }
}

check "version" {
  assert {
    condition     = terraform_data.version.output != "0.0.0"
    error_message = "Version 0.0.0 is a placeholder."
  }
}
