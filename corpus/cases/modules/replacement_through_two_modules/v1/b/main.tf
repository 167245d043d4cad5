variable "ids" {
  type = list(string)
}

resource "sim_thing" "use" {
  count = length(var.ids)

  name      = "use${count.index}"
  force_new = var.ids[count.index]
  parent    = var.ids[count.index]
}
