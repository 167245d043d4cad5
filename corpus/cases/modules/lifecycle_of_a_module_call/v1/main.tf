module "m" {
  source = "./m"

  lifecycle {
    enabled = false
  }
}
