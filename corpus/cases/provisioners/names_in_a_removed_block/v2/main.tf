removed {
  from = module.m.terraform_data.a

  lifecycle {
    destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${each.key}"
  }
}

removed {
  from = terraform_data.b

  lifecycle {
    destroy = true
  }

  provisioner "local-exec" {
    when    = destroy
    command = "echo ${each.key} ${count.index}"
  }
}
