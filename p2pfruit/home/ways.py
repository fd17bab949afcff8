"""The ways of one player to a table: how others reach the player's programs, and how they call out.

They are chosen when a table is opened or joined, and kept with it. A table that is resumed goes on
in the same way: one that was played over Tor never calls directly, unless the player says so.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    proxy: str = ""  # everything goes through it
    tor: bool = False  # everything goes over Tor, and no address of this machine is told
    internet: bool = False  # the router is asked for a port, and else Tor for an onion service
    relay: str = ""  # the line of a relay behind which the table is reached
    onion: bytes = field(default=b"", repr=False)  # the key of the onion service, if there was one
    roams: bool = False  # listens on whatever address this machine has
    advertised: tuple[str, ...] = ()  # addresses that the player has named
    probes: bool = True  # calls back who asks whether it can be reached

    def direct(self) -> Self:
        """Return ways that call out directly."""
        return replace(self, proxy="", tor=False)

    def encode(self) -> str:
        return json.dumps(
            {
                "proxy": self.proxy,
                "tor": self.tor,
                "internet": self.internet,
                "relay": self.relay,
                "onion": self.onion.hex(),
                "roams": self.roams,
                "advertised": list(self.advertised),
                "probes": self.probes,
            }
        )

    @classmethod
    def decode(cls, text: str) -> Self:
        """Read what `encode` has written."""
        kept = json.loads(text)
        return cls(
            proxy=kept["proxy"],
            tor=kept["tor"],
            internet=kept["internet"],
            relay=kept["relay"],
            onion=bytes.fromhex(kept["onion"]),
            roams=kept["roams"],
            advertised=tuple(kept["advertised"]),
            probes=kept["probes"],
        )


DIRECT = Ways()
