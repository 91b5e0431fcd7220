"""The budget of `make test`: which excess fails a run, and which is noise."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts"))
import budget  # noqa: E402


def names(taken):
    return [name for name, _ in budget.exceeded(taken)]


class Budget(unittest.TestCase):
    def test_shares_add_up_to_what_the_pages_say(self):
        self.assertEqual(budget.total(), 50)

    def test_a_part_may_exceed_its_share_by_the_tolerance(self):
        self.assertEqual(names([("units", budget.SHARES["units"] * 1.24, 1.0)]), [])
        self.assertEqual(names([("units", budget.SHARES["units"] * 1.26, 1.0)]), ["budget of units"])

    def test_shares_grow_on_a_slower_machine(self):
        self.assertEqual(names([("units", budget.SHARES["units"] * 1.9, 1.6)]), [])
        self.assertEqual(names([("units", budget.SHARES["units"] * 2.1, 1.6)]), ["budget of units"])

    def test_all_parts_together_have_no_tolerance(self):
        self.assertEqual(names([(part, share * 1.0, 1.0) for part, share in budget.SHARES.items()]), [])
        over = [(part, share * 1.05 * 1.5, 1.5) for part, share in budget.SHARES.items()]
        self.assertEqual(names(over), ["budget of all parts"])

    def test_what_has_no_share_is_not_counted(self):
        self.assertEqual(names([("matrix", 1000.0, 1.0)]), [])


if __name__ == "__main__":
    unittest.main()
