"""Frames as plain data for the page: lists, numbers and texts, with each tile and suit once."""

from collections.abc import Sequence
from typing import Any

from p2pfruit.games.scenes import (
    Account,
    Board,
    Moment,
    Played,
    PlayerRow,
    Reckoning,
    Scene,
    Strip,
    Suit,
    Tile,
)
from p2pfruit.replay import judged
from p2pfruit.replay.analysis import Analysis
from p2pfruit.replay.frames import Frame, Replay, Standing

Plain = dict[str, Any]


def pictures(replay: Replay, found: Analysis | None = None) -> Plain:
    """Return a whole replay as plain data, in the current language, with an analysis."""
    album = _Album()
    frames = [album.frame(frame) for frame in replay.frames()]
    return {
        "title": replay.title,
        "headline": replay.headline,
        "terms": replay.terms,
        "sound": replay.sound,
        "frames": frames,
        "ranking": [_standing(row) for row in replay.ranking()],
        "analysis": None if found is None else _analysis(replay, found),
        "tiles": album.tiles,
        "suits": album.suits,
    }


def _analysis(replay: Replay, found: Analysis) -> Plain:
    """Return the decisions that differ from the expert's, the worst first, with their frames."""
    return {
        "told": judged.headline(found, replay.seated[found.seat]),
        "remarks": [
            {"frame": one.frame, "text": one.text, "clear": one.judged.clear}
            for one in judged.remarks(replay, found)
        ],
    }


def _standing(row: Standing) -> Plain:
    return {"name": row.name, "place": row.place, "rounds": row.rounds, "total": row.total}


class _Album:
    """The tiles and suits of all frames. Each is stored once, and frames name it by its number."""

    def __init__(self) -> None:
        self.tiles: list[Plain] = []
        self.suits: list[Plain] = []
        self._tile_numbers: dict[Tile, int] = {}
        self._suit_numbers: dict[Suit, int] = {}

    def suit(self, suit: Suit | None) -> int | None:
        if suit is None:
            return None
        if suit not in self._suit_numbers:
            self._suit_numbers[suit] = len(self.suits)
            self.suits.append(
                {
                    "name": suit.name,
                    "letters": suit.letters,
                    "shape": suit.shape,
                    "colour": suit.colour,
                }
            )
        return self._suit_numbers[suit]

    def tile(self, tile: Tile) -> int:
        if tile not in self._tile_numbers:
            self._tile_numbers[tile] = len(self.tiles)
            self.tiles.append(
                {
                    "name": tile.name,
                    "text": tile.text,
                    "suit": self.suit(tile.suit),
                    "mark": tile.mark,
                    "mood": tile.mood,
                }
            )
        return self._tile_numbers[tile]

    def frame(self, frame: Frame) -> Plain:
        picture: Plain = {
            "round": frame.round,
            "told": frame.told,
            "aside": frame.aside,
            "closed": frame.closed,
            **self.scene(frame.scene, frame.hidden),
        }
        if frame.moment is not None:
            picture["moment"] = self.moment(frame.moment)
        if frame.reckoning is not None:
            picture["reckoning"] = _reckoning(frame.reckoning)
        return picture

    def scene(self, scene: Scene, hidden: Scene) -> Plain:
        return {
            "where": scene.title,
            "strips": [self.strip(strip) for strip in scene.strips],
            "headings": [
                {"text": heading.text, "suit": self.suit(heading.suit)}
                for heading in scene.headings
            ],
            "players": [
                self.player(row, closed)
                for row, closed in zip(scene.players, hidden.players, strict=True)
            ],
            "boards": [self.board(board) for board in scene.boards],
            "legend": self.row(scene.legend),
            "notes": scene.notes,
        }

    def strip(self, strip: Strip) -> Plain:
        return {"label": strip.label, "tiles": self.row(strip.tiles)}

    def row(self, tiles: Sequence[Tile]) -> list[int]:
        return [self.tile(tile) for tile in tiles]

    def board(self, board: Board) -> Plain:
        rows = [
            [None if piece is None else self.tile(piece) for piece in row] for row in board.rows
        ]
        return {"label": board.label, "rows": rows}

    def player(self, row: PlayerRow, closed: PlayerRow) -> Plain:
        """Return the row of a player. It has two projections: with closed hands, and with open."""
        return {
            "name": row.name,
            "cells": [[cell.text, cell.sign, cell.name] for cell in row.cells],
            "hand": self.row(row.hand),
            "score": row.score,
            "projection": [closed.projection, row.projection],
            "gone": row.gone,
        }

    def moment(self, moment: Moment) -> Plain:
        return {
            "title": moment.title,
            "target": None if moment.target is None else self.tile(moment.target),
            "played": [self.played(played, moment) for played in moment.played],
            "verdict": moment.verdict,
        }

    def played(self, played: Played, moment: Moment) -> Plain:
        return {
            "name": played.name,
            "tile": self.tile(played.tile),
            "why": played.why,
            "wins": played.seat == moment.winner,
        }


def _reckoning(reckoning: Reckoning) -> Plain:
    return {
        "title": reckoning.title,
        "accounts": [_account(account) for account in reckoning.accounts],
    }


def _account(account: Account) -> Plain:
    return {
        "name": account.name,
        "steps": account.steps,
        "points": account.points,
        "total": account.total,
    }
