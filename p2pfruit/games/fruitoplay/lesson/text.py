"""Speak from lesson.<language>.md, which stands beside the rules pages."""

from p2pfruit.games.lesson_text import LessonText

TEXT = LessonText("p2pfruit.games.fruitoplay")
say = TEXT.say
title = TEXT.title
