region = "eu-west-1"
sizes  = [1, 2]
