resource "terraform_data" "writer" {
  provisioner "local-exec" {
    command = "cp after.json note.json"
  }
}

resource "terraform_data" "list" {
  input      = tolist(jsondecode(file("note.json")).list)
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "longer" {
  input      = { inside = tolist(jsondecode(file("note.json")).longer) }
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "map" {
  input      = tomap(jsondecode(file("note.json")).map)
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "set" {
  input      = toset(jsondecode(file("note.json")).set)
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "grown" {
  input      = toset(jsondecode(file("note.json")).grown)
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "objects" {
  input      = toset([for one in jsondecode(file("note.json")).objects : { a = one.a, n = tonumber(null), l = slice(tolist(["z"]), 0, 0) }])
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "new" {
  input      = length(jsondecode(file("note.json")).list) == 1 ? tolist([1, 2]) : null
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "gone" {
  input      = length(jsondecode(file("note.json")).list) == 2 ? [toset(["x"]), tomap({ a = true }), {}, []] : null
  depends_on = [terraform_data.writer]
}

resource "terraform_data" "same" {
  input      = toset(concat(jsondecode(file("note.json")).same, ["z"]))
  depends_on = [terraform_data.writer]
}
