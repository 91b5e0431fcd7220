"""Counts what holds and what does not."""
import sys


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, name, holds, detail=""):
        self.passed, self.failed = (self.passed + 1, self.failed) if holds else (self.passed, self.failed + 1)
        if not holds:
            print(f"FAILED {name}{': ' if detail else ''}{detail}")

    def attempt(self, name, function):
        """What the function returns; None, and a failure, where it throws."""
        try:
            return function()
        except Exception as error:  # noqa: BLE001
            self.expect(name, False, f"{type(error).__name__}: {str(error)[:600]}")
            return None

    def refused(self, name, kind, text, function, *arguments, **named):
        """The call throws an exception of this kind whose message has the text."""
        try:
            function(*arguments, **named)
            self.expect(name, False, "nothing was refused")
        except kind as error:
            self.expect(name, text in str(error), str(error))

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)
