output "alternatives" {
  value = fileset("${path.module}/files", "{a/1,b/*}.txt")
}

output "mistake" {
  value = fileset("${path.module}/files", "nowhere/[")
}
