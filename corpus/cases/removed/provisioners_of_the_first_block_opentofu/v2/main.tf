removed {
  from = module.m
  lifecycle {
    destroy = false
  }
}
removed {
  from = module.m.terraform_data.a
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when = destroy
    command = "echo bye-a"
  }
}
