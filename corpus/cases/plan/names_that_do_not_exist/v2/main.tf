resource "terraform_data" "x" {
  depends_on = [terraform_data, module, var, each.key, path.module, terraform_data.y.id, "text"]
}
