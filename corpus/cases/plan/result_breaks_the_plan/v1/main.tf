resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

locals {
  id   = terraform_data.writer.id
  note = jsondecode(terraform_data.writer.input == null ? file("note.json") : "")
  one  = tolist([{ a = 1, b = [true, {}, []], c = toset(["s"]) }])
}

resource "terraform_data" "prefix" {
  input = "${local.note.text}-${local.id}"
}

resource "terraform_data" "present" {
  input = local.note.known ? "${local.id}" : null
}

resource "terraform_data" "number" {
  input = local.note.known ? length(split("-", local.id)) : -1
}

resource "terraform_data" "elements" {
  input = local.note.known ? toset(["a", local.id]) : toset(["a", "b", "c"])
}

resource "terraform_data" "objects" {
  input = local.note.known ? (local.id == "" ? local.one : concat(local.one, local.one)) : slice(local.one, 0, 0)
}

resource "terraform_data" "kept" {
  input = local.note.known ? "${local.id}" : "another"
}
