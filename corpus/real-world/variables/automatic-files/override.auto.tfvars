sizes = [3, 4]
