resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "printf two > m/note.txt"
  }
}

module "m" {
  source = "./m"

  depends_on = [terraform_data.writer]
}

resource "sim_thing" "reader" {
  name  = "reader"
  value = module.m.note
}
