"""The faces that a claim leaves to a closed card."""

from protocol.table.cards import other_faces

PILE = ("fig", "lime", "fig", "plum", "lime")


def test_faces_stand_in_the_order_of_the_pile_each_once() -> None:
    assert other_faces(PILE, (), ()) == ("fig", "lime", "plum")


def test_a_claimed_face_is_left_out() -> None:
    assert other_faces(PILE, ("lime", "pear"), ()) == ("fig", "plum")


def test_a_face_is_left_out_when_every_copy_lies_open() -> None:
    assert other_faces(PILE, (), ("fig", "plum")) == ("fig", "lime")
    assert other_faces(PILE, (), ("fig", "plum", "fig")) == ("lime",)


def test_nothing_may_be_left() -> None:
    assert other_faces(PILE, ("lime",), ("fig", "fig", "plum")) == ()
