"""Names that look alike: what an eye takes for the same becomes the same text.

Letters of several alphabets have one shape, and accents and capitals are easily overlooked; where a
terminal knows only ASCII, accents are not even there. The table holds the letters that common fonts
draw like a Latin one. It need not be whole: whoever mixes alphabets inside a word is found without
it, and a name in one foreign alphabet rarely spells a friend's.
"""

import unicodedata

_CYRILLIC = {
    **dict(zip("АВЕЗІЈКМНОРСЅТУҮХЬԚԜҺ", "ABE3IJKMHOPCSTYYXbQWh", strict=True)),
    **dict(zip("авегзіїјкмнорсѕтуүхһьӏԁԛԝѵ", "aber3iijkmhopcstyyxhbldqwv", strict=True)),
}
_GREEK = {
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϳ", "ABEZHIKMNOPTYXCj", strict=True)),
    **dict(zip("αβγεηικνορτυχωϲ", "abyenikvoptuxwc", strict=True)),
}
_ARMENIAN = dict(zip("ՏՍՕօոսհցզք", "SUOonuhgqp", strict=True))
_LATIN = dict(zip("ıɑɡɩʟȷ", "iagilj", strict=True))

_LOOKS = str.maketrans({**_CYRILLIC, **_GREEK, **_ARMENIAN, **_LATIN})

# One stroke, one ring: told apart only by those who look for it.
_STROKES = str.maketrans("i1|!0", "llllo")


def looks(text: str) -> str:
    """Equal for texts that may be taken for each other."""
    bare = unicodedata.normalize("NFKD", text.translate(_LOOKS)).translate(_LOOKS).casefold()
    seen = "".join(letter for letter in bare if unicodedata.category(letter) not in ("Mn", "Me"))
    return " ".join(seen.translate(_STROKES).split())


def is_disguise(letter: str) -> bool:
    """Whether it is drawn like a letter of another alphabet."""
    return ord(letter) in _LOOKS


def is_mixed(word: str) -> bool:
    """Whether letters of several alphabets stand in it. Only those with capitals count: Chinese
    and Japanese words mix their scripts, and look like none of these."""
    return len({_alphabet(letter) for letter in word if letter.lower() != letter.upper()}) > 1


def _alphabet(letter: str) -> str:
    """The first word of a letter's name: LATIN, CYRILLIC, MATHEMATICAL."""
    return unicodedata.name(letter, "").partition(" ")[0]
