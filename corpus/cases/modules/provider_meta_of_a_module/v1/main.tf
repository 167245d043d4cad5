module "m" {
  source = "./m"
}

resource "simcloud_meta" "x" {
  name = "x"
}
