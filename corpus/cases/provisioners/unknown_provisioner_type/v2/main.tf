removed {
  from = terraform_data.a

  lifecycle {
    destroy = true
  }

  provisioner "nobody-has-it" {
    when = destroy
  }
}
