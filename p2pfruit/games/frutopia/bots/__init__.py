"""The bots' knowledge of Frutopia: the value of an island, and turns planned ahead."""
