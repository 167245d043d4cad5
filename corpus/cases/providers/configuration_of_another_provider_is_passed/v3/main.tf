terraform {
  required_providers {
    tf = { source = "terraform.io/builtin/terraform" }
  }
}

provider "tf" {
  alias = "north"
}

module "m" {
  source    = "./m"
  providers = { other.one = tf.north }
}
