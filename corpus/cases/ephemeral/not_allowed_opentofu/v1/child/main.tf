variable "plain" {
  type = string
}
