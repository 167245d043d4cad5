module "m" {
  source = "./m"
  given  = "x"
}
