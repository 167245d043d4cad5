resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

resource "terraform_data" "replaced" {
  input            = "two"
  triggers_replace = jsondecode(file("note.json"))

  depends_on = [terraform_data.writer]
}

resource "terraform_data" "unchanged" {
  input = terraform_data.writer.id == "" ? "two" : "one"
}
