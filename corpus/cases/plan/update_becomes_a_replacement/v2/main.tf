resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "printf two > note.txt"
  }
}

resource "simcloud_replaced" "reader" {
  name  = "reader"
  value = file("note.txt")
  label = "2"

  depends_on = [terraform_data.writer]
}
