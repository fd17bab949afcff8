"""Names that look alike: texts that a reader may take for each other are mapped to the same text.

Letters of several alphabets share one shape, and accents and capitals are easily overlooked. On an
ASCII terminal accents are not even shown. The table holds the letters that common fonts draw like a
Latin one. It need not be complete: a word that mixes alphabets is found without it, and a name in
one foreign alphabet rarely spells a friend's name.
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

# Letters that are one stroke, or one ring: a reader tells them apart only when looking for it.
_STROKES = str.maketrans("i1|!0", "llllo")


def looks(text: str) -> str:
    """Return a text that is equal for all texts that may be taken for each other."""
    bare = unicodedata.normalize("NFKD", text.translate(_LOOKS)).translate(_LOOKS).casefold()
    seen = "".join(letter for letter in bare if unicodedata.category(letter) not in ("Mn", "Me"))
    return " ".join(seen.translate(_STROKES).split())


def is_disguise(letter: str) -> bool:
    """Return True if this letter is drawn like a letter of another alphabet."""
    return ord(letter) in _LOOKS


def is_mixed(word: str) -> bool:
    """Return True if a word has letters of several alphabets.

    Only alphabets with capitals count. Chinese and Japanese words mix their scripts, and do not
    look like these alphabets.
    """
    return len({_alphabet(letter) for letter in word if letter.lower() != letter.upper()}) > 1


def _alphabet(letter: str) -> str:
    """Return the first word of a letter's Unicode name: LATIN, CYRILLIC, MATHEMATICAL."""
    return unicodedata.name(letter, "").partition(" ")[0]
