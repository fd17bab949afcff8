"""Figs told in lines: one method for each event that the rules tell."""

from collections.abc import Sequence

from engine.moves import Event
from p2pfruit.games.narrator import Narrator


class FigsNarrator(Narrator):
    def _tell_plays(self, event: Event, _events: Sequence[Event]) -> list[str]:
        return [f"{self._who(event)}: {event.data[0]}"]

    def _tell_takes(self, event: Event, _events: Sequence[Event]) -> list[str]:
        return [f"{event.data[0]} points for {self._who(event)}"]


NARRATOR = FigsNarrator
