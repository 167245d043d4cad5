variable "word" {
  type = string
}

module "child" {
  source = "./child"
  secret = var.word
  plain  = var.word
}
