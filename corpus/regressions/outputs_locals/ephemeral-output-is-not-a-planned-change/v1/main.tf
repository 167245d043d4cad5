resource "terraform_data" "a" {
  input = "x"
}

resource "terraform_data" "b" {
  input = "x"
}

module "m" {
  source = "./m"
  hidden = terraform_data.a.output
  plain  = terraform_data.b.output
}

resource "terraform_data" "user" {
  input = module.m.plain

  provisioner "local-exec" {
    command = module.m.applying ? "exit 0" : "exit 1"
  }
}
