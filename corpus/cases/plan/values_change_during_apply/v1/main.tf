resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

resource "terraform_data" "reader" {
  for_each = toset(keys(jsondecode(file("keys.json"))))
  input    = jsondecode(file("note.json"))[each.key]

  depends_on = [terraform_data.writer]
}

resource "terraform_data" "secret" {
  input = { open = 1, text = sensitive(jsondecode(file("note.json")).text) }

  depends_on = [terraform_data.writer]
}
