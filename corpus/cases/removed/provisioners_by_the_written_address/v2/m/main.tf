removed {
  from = terraform_data.namesake
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo module: ${self.input}"
  }
}

removed {
  from = terraform_data.other
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo module: ${self.input}"
  }
}
