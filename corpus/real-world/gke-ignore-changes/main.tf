terraform {
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = ">= 1.0"
    }
  }
}

resource "google_container_cluster" "primary" {
  name     = "primary"
  location = "europe-west1"
  node_config {
    machine_type = "e2-small"
  }
  lifecycle {
    ignore_changes = [initial_node_count, node_config[0].oauth_scopes, resource_labels["owner"]]
  }
}

resource "google_container_node_pool" "pools" {
  for_each   = { small = 1, large = 3 }
  name       = each.key
  cluster    = google_container_cluster.primary.name
  node_count = each.value
  lifecycle {
    ignore_changes        = [node_count, version]
    create_before_destroy = true
  }
}

output "endpoint" {
  value     = google_container_cluster.primary.endpoint
  sensitive = true
}
