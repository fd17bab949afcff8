"""The curve of Ed25519 once more, as in RFC 8032, and as slow as there."""

PRIME = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, PRIME) % PRIME
Affine = tuple[int, int]
NEUTRAL = (0, 1)


def add(one: Affine, other: Affine) -> Affine:
    (x1, y1), (x2, y2) = one, other
    product = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + product, -1, PRIME)
    y = (y1 * y2 + x1 * x2) * pow(1 - product, -1, PRIME)
    return x % PRIME, y % PRIME


def times(point: Affine, factor: int) -> Affine:
    total = NEUTRAL
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def root(square: int) -> int | None:
    candidate = pow(square, (PRIME + 3) // 8, PRIME)
    for x in (candidate, candidate * pow(2, (PRIME - 1) // 4, PRIME) % PRIME):
        if x * x % PRIME == square % PRIME:
            return x
    return None


def lift(y: int) -> Affine | None:
    x = root((y * y - 1) * pow(D * y * y + 1, -1, PRIME))
    return None if x is None else (x, y)


def encode(point: Affine) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def encodings(y: int) -> list[bytes]:
    """Everything that a lenient reader takes for a point with this y."""
    return [
        (candidate | sign << 255).to_bytes(32, "little")
        for candidate in (y, y + PRIME)
        if candidate < 2**255
        for sign in (0, 1)
    ]


def base() -> Affine:
    point = lift(4 * pow(5, -1, PRIME) % PRIME)
    assert point is not None
    x, y = point
    return (PRIME - x if x & 1 else x), y


def small_points() -> list[Affine]:
    """All points whose order divides eight, as the multiples of one of order eight."""
    y = 2
    while True:
        point = lift(y)
        if point is not None:
            torsion = times(point, ORDER)
            if times(torsion, 4) != NEUTRAL:
                return [times(torsion, factor) for factor in range(8)]
        y += 1
