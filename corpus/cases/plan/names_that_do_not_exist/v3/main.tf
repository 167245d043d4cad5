resource "terraform_remote_state" "r" {
}

resource "terraform_dat" "x" {
}

data "terraform_data" "x" {
}

data "terraform_remote_stat" "r" {
}

ephemeral "terraform_data" "x" {
}

output "cwd" {
  value = path.cwd
}
