resource "terraform_data" "x" {
  input = [terraform.env, terraform.version, path.home, path]
}

resource "terraform_data" "y" {
  input = [count.index, each.key, count.number, each.name]
}

resource "terraform_data" "z" {
  input = self.id
}

resource "terraform_data" "plain" {
}

resource "terraform_data" "one" {
  input = [terraform_data.plain[0].id, terraform_data.plain["a"]]
}

output "o" {
  value = [self, each.value, var.none, local.none, module.none, terraform_data.none]
}
