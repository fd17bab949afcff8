"""The lesson in lines, for any terminal, and to be read aloud."""

from collections.abc import Iterator

from p2pfruit.games.about import about
from p2pfruit.language import text as _
from p2pfruit.line import Ask, LinePlayer, Quit, Say
from p2pfruit.tutorial.lesson import Lesson, Step
from p2pfruit.tutorial.points import next_steps


def run(say: Say, ask: Ask) -> bool:
    """Whether the learner stayed to the end."""
    lesson = Lesson()
    player = LinePlayer(lesson.teller, about(lesson.game.name).rules, say, ask)
    say([_("type ? for help, rules for the rules, quit to leave")])
    try:
        while True:
            step = lesson.now
            say(list(_told(lesson, step)))
            if step.last:
                return True
            if step.asks:
                lesson.answer(player(step.view))
            else:
                _pause(say, ask)
                lesson.go_on()
    except Quit:
        say([_("the lesson ends here; `p2pfruit learn` begins it again")])
        return False


def _told(lesson: Lesson, step: Step) -> Iterator[str]:
    yield from lesson.teller.tell(step.events)
    yield ""
    yield f"--- {step.title} ---"
    for remark in step.remarks:
        yield remark.text.replace("**", "").replace("×", "x")  # as the table writes it
    if step.last:
        for command, words in next_steps():
            yield f"  {command}: {words}"


def _pause(say: Say, ask: Ask) -> None:
    say([_("Enter goes on")])
    while True:
        try:
            typed = ask("> ").strip().lower()
        except EOFError:
            raise Quit from None
        match typed:
            case "q" | "quit" | "quitter":
                raise Quit
            case "rules" | "regles" | "règles":
                say(about("fruitoplay").rules().splitlines())
            case "?" | "h" | "help" | "aide":
                say(
                    [
                        _("Enter goes on"),
                        _("rules  the rules of this game"),
                        _("quit   leave the lesson"),
                    ]
                )
            case _anything:
                return
