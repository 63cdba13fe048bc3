"""The package of the program `formwork`, which lies in the directory of scripts."""
