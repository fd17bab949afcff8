"""The words of Frutopia: fruits, tokens, baskets, ships, the places of the factory."""

from engine.frutopia.baskets import FRUITS, Basket, kinds
from engine.frutopia.catalogue import (
    CART,
    CATERING,
    DECK_CHAIRS,
    LEMONADE,
    MIXED,
    SHOP,
    TOURIST_OFFICE,
    Token,
)
from engine.frutopia.factory import Place
from engine.frutopia.rules import Frutopia
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
    """Return the first letter of a fruit. The five differ in every language we speak."""
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
    """Return the name of a business, or of a collector of the beginning."""
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
    """Return a business in two letters. They differ among buildings, and among shops."""
    return token(game, name)[:2].capitalize()


def counted(name: str, count: int) -> str:
    """Return a number of fruits: 2 bananas."""
    return {
        "banana": plural("{count} banana", "{count} bananas", count),
        "lime": plural("{count} lime", "{count} limes", count),
        "pomegranate": plural("{count} pomegranate", "{count} pomegranates", count),
        "orange": plural("{count} orange", "{count} oranges", count),
        "mangosteen": plural("{count} mangosteen", "{count} mangosteens", count),
    }[name]


def basket(fruits: Basket) -> str:
    return ", ".join(counted(name, count) for name, count in kinds(fruits)) or _("nothing")


def short(fruits: Basket) -> str:
    """Return fruits as on a small tile: 2B1O."""
    return "".join(f"{count}{initial(name)}" for name, count in kinds(fruits))


def points(count: int) -> str:
    return plural("{count} point", "{count} points", count)


def ship(game: Frutopia, name: str) -> str:
    found = game.catalogue.ships[name]
    return _("ship for {fruits}: {points}").format(
        fruits=basket(found.order), points=points(found.points)
    )


def business(game: Frutopia, name: str) -> str:
    """Return a business with what is printed on it."""
    found = game.catalogue.tokens[name]
    told = token(game, name)
    parts = [points(found.points)] if found.points else []
    parts += [plural("{count} star", "{count} stars", found.stars)] if found.stars else []
    if (size := len(found.shape)) > 1:
        parts.append(plural("{count} cell", "{count} cells", size) + f" {shape(found)}")
    if found.kind == CART:
        recipe = game.catalogue.recipes[found.colour]
        parts.append(_("ice of {fruits}").format(fruits=basket(recipe)))
    if found.kind == SHOP:
        parts.append(_pays(name))
    return f"{told} ({', '.join(parts)})" if parts else told


def shape(business: Token) -> str:
    """Return the shape of a large building, row by row: xx/x."""
    wide, high = [max(side) + 1 for side in zip(*business.shape, strict=True)]
    rows = [
        ["x" if (at, row) in business.shape else "." for at in range(wide)] for row in range(high)
    ]
    return "/".join(map("".join, rows))


def _pays(shop: str) -> str:
    return {
        DECK_CHAIRS: _("4 points a beach without ships"),
        CATERING: _("4 points a mixed collector or cart"),
        TOURIST_OFFICE: _("1 point a star"),
        LEMONADE: _("the bottles under your discs"),
    }[shop]


def piece(game: Frutopia, name: str) -> str:
    """Return what lies on a cell: a ship, a business or a collector."""
    return ship(game, name) if name in game.catalogue.ships else business_or_fruit(game, name)


def business_or_fruit(game: Frutopia, name: str) -> str:
    return fruit(name) if name in FRUITS else business(game, name)


# The juice factory.


def place(name: str) -> str:
    """Return the words for a place of the content. Its name ends with a number if there are several
    of the kind; a kind that only another content knows is said as it stands there."""
    kind = name.rstrip("0123456789")
    number = name[len(kind) :]
    told = {
        "start": _("start"),
        "press": _("press"),
        "tank": _("tank"),
        "filter": _("filter"),
        "mixer": _("mixer"),
        "bottling": _("bottling"),
    }.get(kind, kind)
    return f"{told} {number}" if number else told


def circle(game: Frutopia, name: str) -> str:
    """Return the words for a circle. Those of a vat are all one, unless their points differ."""
    found = game.catalogue.factory.place_of[name]
    if len(set(found.points)) == 1:
        return place(found.name)
    number = found.circles.index(name) + 1
    return _("{vat}, circle {number}").format(vat=place(found.name), number=number)


def circle_sign(game: Frutopia, name: str) -> str:
    """Return a circle as on a small tile: Pr1, or Ta:2 in a vat whose circles differ."""
    found = game.catalogue.factory.place_of[name]
    number = f":{found.circles.index(name) + 1}" if len(set(found.points)) > 1 else ""
    return place_sign(found) + number


def place_sign(found: Place) -> str:
    told, _space, number = place(found.name).partition(" ")
    return told[:2].capitalize() + number


def brings(found: Place) -> str:
    """Return a place with what it is worth to be there."""
    worth = [_("last circle")] if found.last else []
    if len(set(found.points)) > 1:
        values = "/".join(map(str, found.points))
        worth.append(_("{values} points").format(values=values))
    elif most := max(found.points):
        worth.append(points(most))
    worth += [_("bottle {points}").format(points=found.bottle)] if found.bottle else []
    return place(found.name) + (f" ({', '.join(worth)})" if worth else "")
