"""Specs of the library in the form of the oracle's cases."""
import re
from pathlib import Path

SPECS = Path(__file__).resolve().parents[2] / "specs" / "attention"
HEAD = re.compile(r"\A(?:(?:pallasgen|kernel|doc):.*\n)+")


def kernel_of(name):
    """Returns the spec of that name without its first three keys, its reference and its tests."""
    text = HEAD.sub("", (SPECS / f"{name}.yaml").read_text())
    return re.split(r"^(?:# 0|reference:|vjp:|tests:)", text, maxsplit=1, flags=re.M)[0]
