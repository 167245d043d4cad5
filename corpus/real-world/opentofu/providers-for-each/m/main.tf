terraform {
  required_providers {
    random = { source = "hashicorp/random" }
  }
}
resource "random_pet" "p" {}
output "p" { value = random_pet.p.id }
