terraform {
  required_providers {
    github = {
      source  = "integrations/github"
      version = ">= 1.0"
    }
  }
}

locals {
  repositories = jsondecode(file("${path.module}/repositories.json"))
}

resource "github_repository" "this" {
  for_each   = { for each in local.repositories : each.name => each }
  name       = each.key
  visibility = try(each.value.visibility, "private")
  dynamic "pages" {
    for_each = try(each.value.pages, false) ? [1] : []
    content {
      source {
        branch = "main"
      }
    }
  }
}

resource "github_branch_protection" "main" {
  for_each      = github_repository.this
  repository_id = each.value.node_id
  pattern       = "main"
}

output "urls" {
  value = { for name, each in github_repository.this : name => each.html_url }
}
