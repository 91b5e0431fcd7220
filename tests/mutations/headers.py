"""The runtime's headers as targets of mutation, and the kernels that judge a mutant of one."""
import re

from editor import closing, masked, parts

JUDGES = 4  # kernels for each mutant
# A definition: at the beginning of a line, or of a member's, types before the name and no `=` among them, after the
# first line of a template.
DEFINITION = re.compile(r"^(?:  )?(?:template <[^;{}()]*>\n *)?"
                        r"(?!return\b|if\b|for\b|while\b|else\b|case\b|static_assert\b|using\b)"
                        r"(?:(?!template\b)[\w:]+(?:<[^()=;\n]*>)?[*&]* +)+[*&]?(\w+)\(", re.M)
STRUCT = re.compile(r"^(?:template <[^;{}()]*>\n)?struct (?:alignas\(\w+\) )?(\w+)[^;{]*\{", re.M)
DEEPEST = 4  # how far a function may be from the kernel that calls it


def headers_of(root):
    """Returns the headers that the emulator runs unchanged; those of ptx/ have counterparts there."""
    return [path for path in sorted((root / "runtime/pallasgen").glob("*")) if path.suffix in (".h", ".cuh")]


def counts_of_arguments(code, name):
    """Returns the numbers of arguments that the calls of a function, and its definitions, have."""
    return {len(parts(code, found.end(), closing(code, found.end() - 1)))
            for found in re.finditer(rf"\b{name}\(", code)}


class Uses:
    """Finds which kernels use which functions of the headers."""

    def __init__(self, headers, kernels):
        """`headers`: texts. `kernels`: {name: text}."""
        self.codes = {name: masked(text) for name, text in kernels.items()}
        self.words = {name: set(re.findall(r"\w+", code)) for name, code in self.codes.items()}
        self.sizes = {name: len(text) for name, text in kernels.items()}
        self.callers = {}  # by word: the functions whose bodies contain it
        for text in headers:
            code = masked(text)
            found = list(DEFINITION.finditer(code))
            for one, after in zip(found, found[1:] + [None]):
                for word in set(re.findall(r"\w+", code[one.end():after.start() if after else len(code)])):
                    self.callers.setdefault(word, set()).add(one.group(1))

    def judges(self, text, place, header=""):
        """Returns the kernels that judge a change of a header at this place: the smallest that use the function around
        it, or a function that calls it; for a place in a struct, those that use the struct. The unit tests that are
        named after the header come first."""
        own = f"/{header.partition('.')[0]}_test."
        code = masked(text)
        above = [found for found in DEFINITION.finditer(code) if found.start() <= place]
        around = {found.group(1) for found in STRUCT.finditer(code)
                  if found.start() <= place < closing(code, found.end() - 1)}
        inside = above and place <= closing(code, code.find("{", above[-1].end()))
        own_names = {above[-1].group(1)} if inside or (above and not around) else around
        overload = None  # name and number of parameters, of one of several functions
        if inside and sum(found.group(1) == above[-1].group(1) for found in DEFINITION.finditer(code)) > 1:
            end = above[-1].end()
            overload = above[-1].group(1), len(parts(code, end, closing(code, end - 1)))
        return (self.users(own_names, around, own, overload) or
                (self.users(own_names, set(), own, overload, 1) if around else []))

    def users(self, names, structs, own, overload, first=0):
        """Returns the judges that use one of the functions, or, at that distance or more, one that calls it; all of
        them name one of the structs, if there are any. Those that call the overload come first."""
        def calls_other(kernel):
            return overload is not None and overload[1] not in counts_of_arguments(self.codes[kernel], overload[0])

        seen = names
        for far in range(DEEPEST):
            users = sorted((calls_other(kernel), own not in kernel, self.sizes[kernel], kernel)
                           for kernel, words in self.words.items()
                           if far >= first and names & words and (not structs or structs & words))
            if users:
                return [kernel for *_, kernel in users[:JUDGES]]
            names = set().union(*(self.callers.get(name, ()) for name in names)) - seen
            seen = seen | names
        return []
