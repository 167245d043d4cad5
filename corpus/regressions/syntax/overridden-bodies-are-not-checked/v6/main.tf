data "terraform_remote_state" "a" {
  backend = "local"
  config = { path = "x" }
  what = 1
}
resource "terraform_data" "a" {
  input = self.x
}
