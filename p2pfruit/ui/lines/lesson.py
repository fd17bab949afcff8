"""A lesson in lines, for any terminal and for screen readers."""

from collections.abc import Iterator
from typing import Any

from p2pfruit.games.about import about
from p2pfruit.games.course import ME, Course
from p2pfruit.games.presenter import presenter_for
from p2pfruit.language import text as _
from p2pfruit.lessons.lesson import Lesson, Step, command, next_steps
from p2pfruit.ui.lines.player import Ask, LinePlayer, Quit, Say


def run(course: Course[Any], say: Say, ask: Ask) -> bool:
    """Give the lesson; return True if the learner stayed to the end."""
    lesson = Lesson(course)
    lesson.narrator.tell(lesson.past)  # heard, not shown
    presenter = presenter_for(lesson.game, lesson.names, ME)
    player = LinePlayer(presenter, about(course.game).rules, say, ask)
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
                _pause(course.game, say, ask)
                lesson.go_on()
    except Quit:
        again = command("learn", course.game)
        say([_("the lesson stops here; `{command}` starts it again").format(command=again)])
        return False


def _told(lesson: Lesson, step: Step) -> Iterator[str]:
    yield from lesson.narrator.tell(step.events)
    yield ""
    yield f"--- {step.title} ---"
    for remark in step.remarks:
        yield remark.text.replace("**", "").replace("×", "x")  # plain, like the table
    if step.last:
        for line, words in next_steps(lesson.course.game):
            yield f"  {line}: {words}"


def _pause(game: str, say: Say, ask: Ask) -> None:
    say([_("press Enter to continue")])
    while True:
        try:
            typed = ask("> ").strip().lower()
        except EOFError:
            raise Quit from None
        match typed:
            case "q" | "quit" | "quitter":
                raise Quit
            case "rules" | "regles" | "règles":
                say(about(game).rules().splitlines())
            case "?" | "h" | "help" | "aide":
                say(
                    [
                        _("press Enter to continue"),
                        _("rules  the rules of this game"),
                        _("quit   leave the lesson"),
                    ]
                )
            case _anything:
                return
