terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}

module "m" {
  source    = "./m"
  providers = { other = tf }
}
