"""Frutopia in words: fruits, tokens, baskets, ships."""

from engine.frutopia.baskets import FRUITS, Basket, kinds
from engine.frutopia.catalogue import CART, MIXED
from engine.frutopia.rules import Frutopia
from engine.frutopia.state import Islands
from p2pfruit.language import plural
from p2pfruit.language import text as _


def fruit(name: str) -> str:
    return {
        "banana": _("banana"),
        "lime": _("lime"),
        "pomegranate": _("pomegranate"),
        "orange": _("orange"),
        "mangosteen": _("mangosteen"),
    }[name]


def initial(name: str) -> str:
    """The first letters of the five differ in every language we speak."""
    return fruit(name)[0].upper()


def colour(name: str) -> str:
    return {
        "green": _("green"),
        "blue": _("blue"),
        "pink": _("pink"),
        "white": _("white"),
        "brown": _("brown"),
        "red": _("red"),
        "yellow": _("yellow"),
    }[name]


def bag(name: str) -> str:
    return {"green": _("green bag"), "orange": _("orange bag")}[name]


def token(game: Frutopia, name: str) -> str:
    """A business, or a collector of the beginning."""
    if name in FRUITS:
        return fruit(name)
    business = game.catalogue.tokens[name]
    if business.kind == MIXED:
        return "/".join(map(fruit, business.fruits))
    if business.kind == CART:
        return _("{colour} cart").format(colour=colour(business.colour))
    return {
        "tower": _("tower"),
        "museum": _("museum"),
        "observatory": _("observatory"),
        "zip-lines": _("zip-lines"),
        "diving-club": _("diving club"),
        "spa": _("spa"),
        "crocodile-farm": _("crocodile farm"),
        "aviary": _("aviary"),
        "eco-hotel": _("eco-hotel"),
        "deck-chairs": _("deck chairs"),
        "catering": _("catering"),
        "tourist-office": _("tourist office"),
        "lemonade-seller": _("lemonade seller"),
    }[name]


def letters(game: Frutopia, name: str) -> str:
    """A business in two letters: they differ among buildings, and among shops."""
    return token(game, name)[:2].capitalize()


def basket(fruits: Basket) -> str:
    return ", ".join(f"{count} {fruit(name)}" for name, count in kinds(fruits)) or _("nothing")


def short(fruits: Basket) -> str:
    """2B1O: as on a small tile."""
    return "".join(f"{count}{initial(name)}" for name, count in kinds(fruits))


def points(count: int) -> str:
    return plural("{count} point", "{count} points", count)


def ship(game: Frutopia, name: str) -> str:
    found = game.catalogue.ships[name]
    return _("ship for {fruits}: {points}").format(
        fruits=basket(found.order), points=points(found.points)
    )


def business(game: Frutopia, name: str) -> str:
    """With what is printed on it."""
    found = game.catalogue.tokens[name]
    told = token(game, name)
    parts = [points(found.points)] if found.points else []
    parts += [plural("{count} star", "{count} stars", found.stars)] if found.stars else []
    size = len(found.shape)
    parts += [plural("{count} cell", "{count} cells", size)] if size > 1 else []
    return f"{told} ({', '.join(parts)})" if parts else told


def piece(game: Frutopia, name: str) -> str:
    """Whatever lies on a cell."""
    return ship(game, name) if name in game.catalogue.ships else business_or_fruit(game, name)


def business_or_fruit(game: Frutopia, name: str) -> str:
    return fruit(name) if name in FRUITS else business(game, name)


def sign(game: Frutopia, name: str) -> str:
    """Whatever lies on a cell, in at most five letters and signs of ASCII."""
    if not name:
        return "."
    if name in game.catalogue.ships:
        return short(game.catalogue.ships[name].order)
    if name in FRUITS:
        return f"<{initial(name)}>"
    business = game.catalogue.tokens[name]
    if business.kind == MIXED:
        one, two = map(initial, business.fruits)
        return f"<{one}{two}>"
    if business.kind == CART:
        return f"<*{colour(business.colour)[:2]}>"
    return f"#{letters(game, name)}"


def ices(game: Frutopia, state: Islands) -> str:
    """The markers that are left."""
    told = [
        f"{colour(pile.colour)} {pile.points} x{left}"
        for pile, left in zip(game.catalogue.piles, state.ices, strict=True)
        if left
    ]
    if state.shakes:
        told.append(_("milkshake 3 x{count}").format(count=state.shakes))
    return ", ".join(told) or _("nothing")
