locals {
  rendered = templatefile("${path.module}/templates/app.tftpl", { name = "app", ports = [80, 443], tls = true })
}

resource "terraform_data" "rendered" {
  input = sha256(local.rendered)
}

output "text" {
  value = local.rendered
}

output "files" {
  value = { for file in fileset(path.module, "templates/**") : file => filesha1("${path.module}/${file}") }
}
