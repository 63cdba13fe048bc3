NAME = "dates"
