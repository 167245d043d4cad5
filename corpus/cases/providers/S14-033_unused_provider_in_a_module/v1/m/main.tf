provider "sim" {
  region = "nowhere"
}
