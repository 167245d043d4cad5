provider "sim" {
  alias  = "t2"
  region = "a"
}

output "all" {
  value = "gone"
}
