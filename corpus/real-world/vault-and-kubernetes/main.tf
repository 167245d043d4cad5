terraform {
  required_providers {
    vault = {
      source = "hashicorp/vault"
    }
    kubernetes = {
      source = "hashicorp/kubernetes"
    }
  }
}

resource "vault_kubernetes_secret_backend" "this" {
  path = "k8s"
}

data "vault_generic_secret" "cluster" {
  path = "secret/cluster"
}

provider "kubernetes" {
  host  = data.vault_generic_secret.cluster.data["host"]
  token = data.vault_generic_secret.cluster.data["token"]
}

resource "kubernetes_secret" "this" {
  metadata {
    name = "vault"
  }
  data = { path = vault_kubernetes_secret_backend.this.path }
}

resource "kubernetes_deployment" "this" {
  metadata {
    name = "app"
  }
  spec {
    template {
      spec {
        dynamic "container" {
          for_each = ["app", "sidecar"]
          content {
            name = container.value
            env {
              name = "SECRET"
              value_from {
                secret_key_ref {
                  name = kubernetes_secret.this.metadata[0].name
                  key  = "path"
                }
              }
            }
          }
        }
      }
    }
  }
}
