"""Finds the lines of a text that hold a mark. It knows nothing of the component that it becomes part of."""


def unfinished(text: str, mark: str) -> list[int]:
    """The numbers of the lines that hold the mark, counted from 1."""
    return [number for number, line in enumerate(text.split("\n"), 1) if mark in line]
