terraform {
  required_providers {
    kubernetes = { source = "hashicorp/kubernetes" }
    helm       = { source = "hashicorp/helm" }
    kubectl    = { source = "gavinbunney/kubectl" }
    aws        = { source = "hashicorp/aws" }
  }
}
data "aws_eks_cluster" "c" { name = "x" }
ephemeral "aws_eks_cluster_auth" "t" { name = data.aws_eks_cluster.c.name }
provider "helm" {
  kubernetes {
    host                   = data.aws_eks_cluster.c.endpoint
    cluster_ca_certificate = base64decode(data.aws_eks_cluster.c.certificate_authority[0].data)
    token                  = ephemeral.aws_eks_cluster_auth.t.token
    exec {
      api_version = "client.authentication.k8s.io/v1beta1"
      command     = "aws"
      args        = ["eks", "get-token", "--cluster-name", data.aws_eks_cluster.c.name]
    }
  }
}
locals { manifests = provider::kubernetes::manifest_decode_multi(file("${path.module}/manifests.yaml")) }
resource "kubernetes_manifest" "m" {
  for_each = { for m in local.manifests : "${m.kind}/${m.metadata.name}" => m }
  manifest = each.value
}
data "kubectl_file_documents" "docs" { content = file("${path.module}/manifests.yaml") }
resource "kubectl_manifest" "k" {
  for_each  = data.kubectl_file_documents.docs.manifests
  yaml_body = each.value
}
resource "helm_release" "r" {
  name   = "r"
  chart  = "x"
  values = [yamlencode({ replicas = 2, ingress = { hosts = ["a"] } }), templatefile("${path.module}/values.yaml.tftpl", { host = "h" })]
  set {
    name  = "a.b"
    value = "1"
  }
  set_sensitive {
    name  = "s"
    value = "p"
  }
  lifecycle {
    postcondition {
      condition     = self.status == "deployed" || self.metadata[0].revision >= 0
      error_message = "Not deployed: ${self.status}."
    }
  }
}
resource "kubernetes_service" "s" {
  wait_for_load_balancer = true
  metadata { name = "s" }
  spec {
    selector = { app = "x" }
    port {
      port        = 80
      target_port = "http"
    }
  }
}
output "host" { value = kubernetes_service.s.status[0].load_balancer[0].ingress[0].hostname }
output "rev" { value = helm_release.r.metadata[0].revision }
