resource "terraform_data" "a" {
  provisioner "local-exec" {
    command = "echo made > made.txt"
  }
}

output "exists" {
  value = fileexists("made.txt")
}
