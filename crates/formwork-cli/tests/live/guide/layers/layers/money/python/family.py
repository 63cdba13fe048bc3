NAME = "money"
