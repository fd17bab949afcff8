"""The lesson of Fruitoplay: its course, its teacher, a turn's reveal, and the end of the round."""
