resource "terraform_data" "place" {
  input = "north"
}

provider "sim" {
  alias  = "there"
  region = terraform_data.place.output
}

resource "sim_thing" "x" {
  provider = sim.there

  name = "x"
}
