"""pallasgen, installed by pip: the program, the headers of generated code, the emulator and the CMake package, below this folder."""

import os
import pathlib
import sys


def root() -> pathlib.Path:
    """The folder that the program finds everything else from, as `pallasgen_ROOT` of CMake."""
    return pathlib.Path(__file__).parent


def main() -> None:
    program = root() / "bin/pallasgen"
    os.execv(program, [str(program), *sys.argv[1:]])
