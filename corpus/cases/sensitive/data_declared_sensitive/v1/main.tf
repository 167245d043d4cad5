resource "terraform_data" "name" {
  input = "secret.txt"
}

data "local_sensitive_file" "now" {
  filename = "secret.txt"
}

data "local_sensitive_file" "later" {
  filename = terraform_data.name.output
}

resource "terraform_data" "copy" {
  input = [data.local_sensitive_file.now.content, data.local_sensitive_file.later.content]
}
