module "m" {
  source = "./m"
}

removed {
  from = terraform_data.twice
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo first: ${self.input}"
  }
}

removed {
  from = terraform_data.twice
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo second: ${self.input}"
  }
}

removed {
  from = module.m.terraform_data.named_by_the_root
  lifecycle {
    destroy = true
  }
  provisioner "local-exec" {
    when    = destroy
    command = "echo root: ${self.input}"
  }
}
