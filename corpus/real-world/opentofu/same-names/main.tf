output "which" { value = "terraform" }
terraform { required_version = ">= 1.5" }
