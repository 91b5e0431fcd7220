"""Counts checks that hold and checks that fail."""
import sys


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def expect(self, name, holds, detail=""):
        self.passed, self.failed = (self.passed + 1, self.failed) if holds else (self.passed, self.failed + 1)
        if not holds:
            print(f"FAILED {name}{': ' if detail else ''}{detail}")

    def attempt(self, name, function):
        """Returns the function's result; None, and a failure, if it raises an exception."""
        try:
            return function()
        except Exception as error:  # noqa: BLE001
            self.expect(name, False, f"{type(error).__name__}: {str(error)[:600]}")
            return None

    def refused(self, name, kind, text, function, *arguments, **named):
        """Checks that the call raises an exception of this kind whose message has the text."""
        try:
            function(*arguments, **named)
            self.expect(name, False, "nothing was refused")
        except kind as error:
            self.expect(name, text in str(error), str(error))

    def end(self):
        print(f"{self.passed} passed, {self.failed} failed")
        sys.exit(self.failed > 0)
