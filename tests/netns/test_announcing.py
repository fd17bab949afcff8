import pytest

from p2pfruit.cli.main import main


@pytest.mark.parametrize("where", [[], ["--bind", "127.0.0.1"], ["--bind", "::1"]])
def test_a_table_that_nobody_could_reach_is_not_announced(
    where: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["host", "--announce", "--auto", "greedy", *where]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "can only be reached from this computer" in err
    assert "hint: use --lan instead" in err
