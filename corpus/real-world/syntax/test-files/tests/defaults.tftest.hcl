variables {
  name = "tested"
}

run "plan" {
  command = plan
  assert {
    condition     = terraform_data.a.input == "tested"
    error_message = "Wrong name."
  }
}

run "apply" {
  variables {
    name = "other"
  }
  assert {
    condition     = output.name == "other"
    error_message = "Wrong name."
  }
}
