"""The help of the command line: groups, examples, and argparse's own words in both languages."""

import importlib
import shlex

import pytest

from p2pfruit import language
from p2pfruit.cli.main import build_parser, main
from p2pfruit.cli.overview import COMMANDS, groups
from p2pfruit.cli.parser import nearest


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_commands_stand_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--help", "--lang", "en")
    titles = [title for title, _names in groups()]
    positions = [text.index(f"\n{title}:\n") for title in [*titles, "options", "examples"]]
    assert positions == sorted(positions)
    for (_title, names), start, end in zip(groups(), positions, positions[1:], strict=False):
        for name in names:
            assert f"\n  {name} " in text[start:end]
    assert len(set(COMMANDS)) == len(COMMANDS)


@pytest.mark.parametrize("code", language.LANGUAGES)
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_help_has_examples(
    command: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shown(capsys, *command.split(), "--help", "--lang", code)
    examples = text.split({"en": "\nexamples:\n", "fr": "\nexemples :\n"}[code])[1]
    lines = [line for line in examples.splitlines() if line.startswith("  ") and line[2] != " "]
    assert 1 <= len(lines) <= 6
    for line in lines:
        assert f"p2pfruit {command}".strip() in line
    assert "{" not in examples


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_example_can_be_parsed(command: str) -> None:
    module = importlib.import_module(f"p2pfruit.cli.{f'commands.{command}' if command else 'main'}")
    for line, _explanation in module.examples():
        words = shlex.split(line.partition(" > ")[0])
        if words[0] == "p2pfruit":  # the rest is of the shell
            assert callable(build_parser().parse(words[1:]).run)


def test_french_help_has_no_english(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["verify", "--help"], ["id", "--help"]):
        text = shown(capsys, *arguments, "--lang", "fr")
        assert text.startswith("utilisation : p2pfruit")
        for english in ("usage", "positional", "show this", "default:"):
            assert english not in text
        assert "\noptions :\n" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_no_french_line_begins_with_punctuation(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in range(60, 90, 3):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = shown(capsys, command, "--help", "--lang", "fr").splitlines()
        assert not [line for line in lines if line.lstrip()[:1] in tuple(":;?!")]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["verifi"], ["commande inconnue : 'verifi'", "conseil : vouliez-vous dire verify"]),
        (["play", "--sets"], ["option inconnue : '--sets'", "vouliez-vous dire --seats"]),
        (["play", "--seats", "x"], ["--seats : 'x' n'est pas un nombre entier"]),
        (["play", "--seats"], ["--seats : il manque une valeur"]),
        (["verify"], ["argument manquant : FICHIER", "`p2pfruit verify --help`"]),
        (["replay", "x", "--plain", "--html", "y"], ["--html : ne va pas avec --plain"]),
        (
            ["play", "--level", "genius"],
            ["--level doit valoir easy, normal, hard, random"],
        ),
    ],
)
def test_refusals_in_french(
    arguments: list[str], says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--lang", "fr"]) == 2
    err = capsys.readouterr().err
    for words in says:
        assert words in err


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("--sea", "--seats"),
        ("--seast", "--seats"),
        ("--foo", None),
        ("-", None),
        ("--", None),
        ("", None),
    ],
)
def test_the_nearest(typed: str, found: str | None) -> None:
    assert nearest(typed, ["--seed", "--seats", "--option"]) == found
