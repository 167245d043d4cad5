output "note" {
  value = file("${path.module}/note.txt")
}
