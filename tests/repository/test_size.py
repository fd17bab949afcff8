from tests.repository.sources import PACKAGES, ROOT, sources

LINES_MAX = 500


def test_files_are_small() -> None:
    lines = {
        str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*PACKAGES)
    }
    assert {name: count for name, count in lines.items() if count > LINES_MAX} == {}
