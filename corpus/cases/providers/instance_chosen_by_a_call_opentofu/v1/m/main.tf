variable "tag" {}

resource "sim_thing" "outer" {
  count = 2
  name  = "${var.tag}-outer-${count.index}"
}

module "n" {
  source    = "./n"
  for_each  = toset(["p"])
  tag       = "${var.tag}-${each.key}"
  providers = { sim = sim }
}

module "inherits" {
  source = "./n"
  tag    = "${var.tag}-inherits"
}
