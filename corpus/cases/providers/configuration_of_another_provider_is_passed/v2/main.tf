terraform {
  required_providers {
    tf    = { source = "terraform.io/builtin/terraform" }
    other = { source = "terraform.io/builtin/other" }
  }
}

module "m" {
  source    = "./m"
  providers = { other = tf }
}
