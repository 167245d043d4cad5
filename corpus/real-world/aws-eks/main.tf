terraform {
  required_providers {
    aws = {
      source = "hashicorp/aws"
    }
    kubernetes = {
      source = "hashicorp/kubernetes"
    }
    helm = {
      source = "hashicorp/helm"
    }
    tls = {
      source = "hashicorp/tls"
    }
  }
}

resource "aws_eks_cluster" "this" {
  name     = "main"
  role_arn = "arn:aws:iam::123456789012:role/eks"
  vpc_config {
    subnet_ids = aws_subnet.this[*].id
  }
}

resource "aws_subnet" "this" {
  count      = 2
  cidr_block = cidrsubnet(aws_vpc.this.cidr_block, 4, count.index)
  vpc_id     = aws_vpc.this.id
}

resource "aws_vpc" "this" {}

data "aws_eks_cluster_auth" "this" {
  name = aws_eks_cluster.this.name
}

data "tls_certificate" "issuer" {
  url = aws_eks_cluster.this.identity[0].oidc[0].issuer
}

provider "kubernetes" {
  host                   = aws_eks_cluster.this.endpoint
  cluster_ca_certificate = base64decode(aws_eks_cluster.this.certificate_authority[0].data)
  token                  = data.aws_eks_cluster_auth.this.token
}

provider "helm" {
  kubernetes {
    host = aws_eks_cluster.this.endpoint
  }
}

resource "kubernetes_namespace" "app" {
  metadata {
    name = "app"
  }
}

resource "helm_release" "app" {
  name      = "app"
  chart     = "app"
  namespace = kubernetes_namespace.app.metadata[0].name
  values    = [yamlencode({ replicas = 2 })]
  set {
    name  = "thumbprint"
    value = data.tls_certificate.issuer.certificates[0].sha1_fingerprint
  }
}
