data "terraform_remote_state" "a" {
  backend = 1
  other = 2
}
