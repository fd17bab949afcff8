"""The lesson of Frutopia: its course, its teacher, a plan of moves, and the recap of a round."""
