module "m1" {
  source  = "---.com/a/b/c"
  version = "1.0.0"
}

module "m2" {
  source  = "xn--caf-dma.com/a/b/c"
  version = "1.0.0"
}

module "m3" {
  source  = "ab--cd.com/a/b/c"
  version = "1.0.0"
}

module "m4" {
  source  = "-a.com/a/b/c"
  version = "1.0.0"
}

module "m5" {
  source  = "a_b.com/a/b/c"
  version = "1.0.0"
}

module "m6" {
  source  = "éx--.com/a/b/c"
  version = "1.0.0"
}

module "m7" {
  source  = "a..com/a/b/c"
  version = "1.0.0"
}

module "m8" {
  source  = ".com/a/b/c"
  version = "1.0.0"
}

module "m9" {
  source  = "a.-b/a/b/c"
  version = "1.0.0"
}

module "m10" {
  source  = "xn--zz.com:80/a/b/c"
  version = "1.0.0"
}

module "m11" {
  source  = "a-.com/a/b/c"
  version = "1.0.0"
}

module "m12" {
  source  = "x.xn--zz/a/b/c"
  version = "1.0.0"
}

module "m13" {
  source  = "exam ple.com/a/b/c"
  version = "1.0.0"
}

module "m14" {
  source  = "a.com:x/a/b/c"
  version = "1.0.0"
}
