resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "printf two > note.txt"
  }
}

resource "sim_thing" "reader" {
  name  = "reader"
  value = file("note.txt")

  depends_on = [terraform_data.writer]
}
