import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pfruit.net.addresses import Address, Kind
from p2pfruit.net.onions import KEY_SIZE, BadOnion, pack, unpack

# From Tor's own specification (rend-spec-v3, "ENCODING ONION ADDRESS").
KNOWN = [
    "pg6mmjiyjmcrsslvykfwnntlaru7p5svn6y2ymmju6nubxndf4pscryd.onion",
    "sp3k262uwy4r2k3ycr5awluarykdpag6a7y33jxop4cs2lu5uz5sseqd.onion",
    "xa4r2iadxm55fbnqgwwi5mymqdcofiu3w6rpbtqn7b2dyn7mgwj64jyd.onion",
]


@pytest.mark.parametrize("host", KNOWN)
def test_known_addresses(host: str) -> None:
    assert unpack(pack(host)) == host


@given(st.binary(min_size=KEY_SIZE, max_size=KEY_SIZE))
def test_each_undoes_the_other(key: bytes) -> None:
    host = unpack(key)
    assert pack(host) == key
    assert Address.parse(f"{host}:1").kind is Kind.ONION
    assert Address.parse(f"{host}:1").host == host


@given(
    st.sampled_from(KNOWN),
    st.integers(0, 55),
    st.sampled_from("abcdefghijklmnopqrstuvwxyz234567"),
)
def test_one_wrong_letter(host: str, place: int, letter: str) -> None:
    wrong = host[:place] + letter + host[place + 1 :]
    if wrong != host:
        with pytest.raises(BadOnion):
            pack(wrong)


@given(st.text() | st.from_regex(r"[a-z2-7]{56}\.onion", fullmatch=True))
def test_any_other_text_is_refused(text: str) -> None:
    try:
        key = pack(text)
    except BadOnion:
        return
    assert unpack(key) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".onion",
        KNOWN[0].upper(),
        KNOWN[0] + ".",
        KNOWN[0].removesuffix(".onion"),
        "www." + KNOWN[0],
        KNOWN[0].replace("pg6", "pg=", 1),
        "expyuzz4wqqyqhjn.onion",  # version 2
        "ſ" + KNOWN[0][1:],
    ],
)
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(BadOnion):
        pack(text)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_of_another_size(size: int) -> None:
    with pytest.raises(BadOnion):
        unpack(bytes(size))
