import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "src"))

from unfinished import unfinished  # noqa: E402


class Unfinished(unittest.TestCase):
    def test_a_finished_text_has_no_lines(self):
        self.assertEqual(unfinished("All is said.", "TODO"), [])

    def test_the_lines_are_named(self):
        self.assertEqual(unfinished("One\nTODO: two\nthree TODO", "TODO"), [2, 3])
