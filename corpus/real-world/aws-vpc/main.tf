terraform {
  required_version = ">= 1.3"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "single_nat" {
  type    = bool
  default = true
}

locals {
  zones   = slice(data.aws_availability_zones.available.names, 0, 2)
  tiers   = ["public", "private"]
  subnets = { for pair in setproduct(local.tiers, range(2)) : "${pair[0]}-${pair[1]}" => { tier = pair[0], index = pair[1] } }
}

data "aws_availability_zones" "available" {
  state = "available"
}

resource "aws_vpc" "this" {
  cidr_block = "10.0.0.0/16"
}

resource "aws_subnet" "this" {
  for_each          = local.subnets
  vpc_id            = aws_vpc.this.id
  cidr_block        = cidrsubnet(aws_vpc.this.cidr_block, 8, each.value.index + (each.value.tier == "private" ? 100 : 0))
  availability_zone = local.zones[each.value.index]
}

resource "aws_nat_gateway" "this" {
  count     = var.single_nat ? 1 : 2
  subnet_id = aws_subnet.this["public-${count.index}"].id
}

resource "aws_route_table" "private" {
  vpc_id = aws_vpc.this.id
  dynamic "route" {
    for_each = aws_nat_gateway.this
    content {
      cidr_block     = "0.0.0.0/${route.key}"
      nat_gateway_id = route.value.id
    }
  }
}

output "private_subnets" {
  value = [for name, subnet in aws_subnet.this : subnet.id if startswith(name, "private")]
}
