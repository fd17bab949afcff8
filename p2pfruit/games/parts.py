"""Finds the parts of a game that are not rules, and says where a game comes from."""

import importlib
from typing import Any

from engine import registry
from engine.errors import BadPackage
from p2pfruit.exits import FAILED, Refusal
from p2pfruit.language import text as _
from p2pfruit.text.safe import shortened


def part(game: str, module: str, name: str) -> Any:
    """Return the named object from a module of the game, or None if there is no such module.

    Raise Refusal if the module belongs to an installed package and cannot be imported.
    """
    package = folder(game)
    if package is None:
        return None
    wanted = f"{package}.{module}"
    try:
        return getattr(importlib.import_module(wanted), name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and _leads_to(error.name, wanted):
            return None
        origin = registry.origin(game)
        if origin is None:
            raise
        why = f"{module}: {type(error).__name__}: {error}"
        message, hint = fault_words(BadPackage(game, origin, why))
        raise Refusal(message, hint=hint, code=FAILED) from error


def _leads_to(missing: str | None, wanted: str) -> bool:
    return missing is not None and f"{wanted}.".startswith(f"{missing}.")


def folder(game: str) -> str | None:
    """Return the package with the optional parts of a game, if it can have any."""
    if game in registry.SHIPPED:
        return f"p2pfruit.games.{game}"
    origin = registry.origin(game)
    return None if origin is None else origin.package


def origin_words(game: str) -> str | None:
    """Return the package of a game and its version, as they can be printed; None if shipped."""
    origin = registry.origin(game)
    return None if origin is None else shortened(str(origin))


def origin_fields(game: str) -> dict[str, str] | None:
    """Return the same for programs."""
    origin = registry.origin(game)
    return origin and {"name": origin.distribution, "version": origin.version}


def titled(game: str) -> str:
    """Return the name of a game, with the package that brings it."""
    origin = origin_words(game)
    return game if origin is None else f"{game} ({origin})"


def fault_words(fault: BadPackage) -> tuple[str, str]:
    """Say why the game of a package cannot be played, and what to do."""
    message = _("the game {game} of the package {package} cannot be played: {why}").format(
        game=shortened(fault.name), package=shortened(str(fault.origin)), why=shortened(fault.why)
    )
    hint = _("update or uninstall the package; the other games are not concerned")
    return message, hint
