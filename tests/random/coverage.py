"""Coverage of the random specs: a table of constructs, each found by a pattern in the specs' texts or in the output of
`explain` on their plans. A row is a claim: a long run that never has it fails."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

# Patterns in the text of a spec, including its settings.
LANGUAGE = [
    ("names that C++, the runtime or generated code have taken", r"\A# names: "),
    ("axes: no grid", r"\A(?![\s\S]*^grid:)"),
    ("axes: three parallel", r"^  - \{axis: l,"),
    ("axes: sequential", r"semantics: sequential"),
    ("axes: several sequential", r"semantics: sequential[\s\S]*semantics: sequential"),
    ("axes: sequential, size of other axes", r'size: "[^"]*\b[ijk]\b[^"]*", semantics: sequential'),
    ("axes: sequential, size of a dim", r'size: "?[^"]*\bK\b[^"]*"?, semantics: sequential'),
    ("axes: sequential, size of a scalar array", r'size: "[^"]*(offsets|counts)\[[^"]*", semantics: sequential'),
    ("dims: multiple_of", r"multiple_of: \d"),
    ("scalars: by value", r"^  (alpha|beta): [if]"),
    ("scalars: array", r'^  (offsets|counts): "'),
    ("scalars: searchsorted", r"searchsorted\("),
    ("let", r"^let:"),
    ("let: size of a sequential axis", r'size: "count_\w+", semantics: sequential'),
    ("let: the last step", r"== count_\w+ - 1"),
    ("skip", r"^skip:"),
    ("functions", r"^functions:"),
    ("functions: grad", r"\bgrad\("),
    ("consts", r"^consts:"),
    ("checks: oob", r"^checks: \[.*oob"),
    ("checks: index of a scalar array", r'^checks: \[.*oob[\s\S]*^  pages: "|^  pages: "[\s\S]*^checks: \[.*oob'),
    ("checks: nan", r"^checks: \[.*nan"),
    ("math: approx", r"approx: true"),
    ("aliases", r"^aliases:"),
    ("aliases: read first", r"^aliases:[\s\S]*\"o\[\.\.\.\] (\+=|-=) "),
    ("aliases: views", r"^  z\d+: \{.*space: gmem[\s\S]*^aliases:"),
    ("aliases: written in part", r"^aliases:[\s\S]*- when: [^\n]*\n    do:\n      - \"o\["),
    ("block: squeezed", r"squeezed"),
    ("block: element", r"element\(\d+\)"),
    ("block: element, padded", r"element\(\d+, \d+, \d+\)"),
    ("block: bounded slice", r"bounded_slice"),
    ("block: whole array", r'^  \w+: \{type: "[^"]*"\}$'),
    ("ref: strides, constant", r"strides: \[.*\d"),
    ("ref: strides, a dim", r"strides: \[.*P"),
    ("ref: strides 0", r"strides: \[(.*, )?0[],]"),
    ("ref: gmem input", r"^  [xyw]\w*: \{.*space: gmem"),
    ("ref: gmem output", r"^  [op]\w*: \{.*space: gmem"),
    ("ref: fill", r"fill: "),
    ("ref: init", r"init: "),
    ("ref: reduce add", r"reduce: add"),
    ("ref: reduce min", r"reduce: min"),
    ("ref: reduce max", r"reduce: max"),
    ("scratch: reg", r"^  acc\w*: \{.*space: reg"),
    ("scratch: smem", r"^  \w+: \{.*space: smem"),
    ("scratch: acc", r"^  acc\w*: \{.*space: acc"),
    ("scratch: two accumulators", r"^  gate: \{.*space: acc"),
    ("dot: b that threads make", r"dot\(.*, (\(?y\b[^)]*[*]|where|maximum\(y)"),
    ("dot: a transposed that threads make", r"dot\((\(?x\b[^),]*[*]|where|maximum\(x).*trans_a=true"),
    ("dot: batches of matrices", r'^  \w+: \{type: "\w+\[[^,\]]+, [^,\]]+, [^,\]]+\]", space: acc'),
    ("dot: inside an expression", r"acc\[\.\.\.\] -= [^\n]*dot\("),
    ("scratch: scope", r"- scope:"),
    ("workspace", r"^workspace:"),
    ("memory: store, relaxed", r"store\(.*order=relaxed"),
    ("memory: store, release", r"store\(.*order=release"),
    ("memory: load, acquire", r"load\(.*order=acquire"),
    ("memory: atomic, release or acq_rel", r"atomic.*order=(release|acq_rel)"),
    ("memory: ticket", r"ticket\(\)"),
    ("memory: grid_sync", r"grid_sync\(\)"),
    ("memory: atomic with old", r"^ *- \"\w+ = atomic_"),
    ("memory: atomic in shared memory", r"atomic_\w+\(seen"),
    ("memory: atomic, masked", r"atomic_.*mask="),
    *[(f"memory: atomic_{op}", rf"\batomic_{op}\(") for op in ("add", "max", "min", "and", "or", "xor", "xchg", "cas")],
    ("index: dynamic slice of gmem", r"\b[xyw]\w*\[[^\]\"]*ds\((?!\d)"),
    ("index: dynamic slice stored", r"^ *- \"[op]\w*\[[^=]*ds\((?!\d)[^=]*= "),
    ("index: gather", r"\w+\[\(iota"),
    ("index: rows of gmem by number", r"\b[xyw]\w*\[\((iota|.*& \d+\), ds\()"),
    ("index: gather by data", r"\w\[\(.*& (0|1|3|7|15|31|63)\)(, :)*\]"),
    ("index: scatter", r"^ *- \"[op]\w*\[\d+ - iota"),
    ("index: masked load", r"load\(.*mask="),
    ("index: masked store", r"store\(.*mask="),
    ("index: masked store of its own target", r"store\((buf\d+), .*\1\["),
    ("index: a row that values choose", r"\[max\(.*\) & \d+(, :)*\]"),
    ("index: new axis", r"None"),
    ("index: at", r"\.at\["),
    ("control: when", r"- when:"),
    ("control: when, on data", r"- when: \"(any|all|max|sum)\("),
    ("control: else", r"  else:"),
    ("control: for", r"- for:"),
    ("control: for, carries", r"- for:[^\n]*\n[^\n]*\n *do:\n[\s\S]*?(h\d+) = \1"),
    ("control: for, unrolled", r"unroll: \d"),
    ("control: for, nested", r"^  - for:(.*\n)(    .*\n)*      - for:"),
    ("control: while", r"- while:"),
    ("control: while, on data", r"- while: \"[^\"]*(max|any)\("),
    ("loop over slices of gmem", r"^  - for: s\n"),
    ("loop over slices: from a dim", r'^  - for: s\n    range: "first'),
    ("loop over slices: dot", r"^  - for: s\n(.*\n)*?      - \"total\d* = total\d* \+ dot\("),
    ("dot: an operand that threads make", r"dot\((x \*|\(x|maximum\(x|where\(iota|q \*)"),
    ("dot: of another dot's result", r"y\d+ = dot\(h\d+"),
    ("accumulator: scaled in its loop", r"acc\[\.\.\.\] = acc \* "),
    ("accumulator: less its maximum in each step", r"acc\[\.\.\.\] \+= y\d+ - top"),
    ("accumulator: rows gathered over steps", r"(sums|tops)\[\.\.\.\] = (sums|maximum)"),
    ("accumulator: columns", r"= (sum|mean|max|min)\(\(?(silu|gelu|relu|tanh|clamp|\()*acc[^=]*axis=0\)"),
    ("attention", r"- \"acc\[\.\.\.\] = acc.* \+ dot\(p\.astype"),
    ("attention: a mask in some steps", r"do:\n      - \"cols = k"),
    ("calls: print, beside a dot", r"print: [^\n]*\n[^\n]*\n[^\n]*dot\("),
    ("calls: assert", r"- assert:"),
    ("calls: print", r"^  - print:"),
    ("calls: print, guarded", r"^      - print:"),
    ("axes: sequential, the first step may not exist", r'axis: t, size: "(k|\(k \+ 1\) % 2)", semantics'),
    ("output of guarded steps", r"\*= 3"),
    ("output that moves with the steps", r"^  [op]\w*: \{type: \"\w+\[\d+, .*squeezed"),
    ("output kept in itself", r"^ *- \"[op]\[\.\.\.\] \+="),
    ("setting: stages 0", r"stages: 0"),
    ("setting: stages n, no producer", r"^pipeline: \{stages: [1-9](?!.*warp_specialized)"),
    ("setting: stages auto, no producer", r"^pipeline: \{stages: auto(?!.*warp_specialized)"),
    ("setting: stages n, producer", r"^pipeline: \{stages: [1-9].*warp_specialized: true"),
    ("setting: stages auto, producer", r"^pipeline: \{(stages: auto.*)?warp_specialized: true"),
    *[(f"setting: compute_warpgroups {n}", rf"compute_warpgroups: {n}") for n in (1, 2, 3)],
    ("setting: delay_release", r"^pipeline: .*delay_release: [1-9]"),
    ("setting: prefetch", r"^pipeline: .*prefetch: [1-9]"),
    ("setting: stages of an operand", r"^  \w+: \{.*stages: "),
    ("setting: delay_release of an operand", r"^  \w+: \{.*delay_release: "),
    ("setting: persistent", r"persistent: true"),
    ("setting: persistent, dynamic", r"persistent: dynamic"),
    ("setting: num_ctas", r"num_ctas: "),
    ("setting: tile_order column", r"tile_order: column"),
    ("setting: tile_order strips", r"tile_order: \{"),
    ("setting: tile_order listed", r"tile_order: \["),
    ("setting: programs_per_cta", r"programs_per_cta: "),
    ("setting: cooperative", r"cooperative: true"),
    ("setting: dependent_launch", r"dependent_launch: true"),
    *[(f"target: {name}", rf"^target: {name}") for name in ("sm_80", "sm_86", "sm_89", "sm_120a")],
]

# Patterns in the output of `explain`.
PLANS = [
    ("plan: blocks in registers", r"^  access to .*bytes at a time"),
    ("plan: rows in registers", r"^  rows: a row belongs"),
    ("plan: a row to several warps", r"a row belongs to \d+ warps"),
    ("plan: rows of a cluster", r"CTAs of a tile: \d+, a cluster"),
    ("plan: element by element", r"in shared memory, element by element"),
    ("plan: element by element, beside a producer", r"^  producer \([\s\S]*in shared memory, element by element"),
    ("plan: a reduction by warps", r"^  reduction of .*: (a warp for each result|\d+ warps share)"),
    ("plan: tensor cores", r"of the tile each"),
    ("plan: dot without tensor cores", r"tensor cores: none"),
    ("plan: operand of a dot in registers", r"@wgmma_operand"),
    ("plan: producer by TMA", r"moves on .*; TMA tensor copy"),
    ("plan: rows past a slice cleared", r"clears its rows past the slice"),
    ("plan: producer's threads copy", r"copied by the producer's threads"),
    ("plan: ring that moves with the tile", r"moves on with the tile"),
    ("plan: ring along several axes", r"moves on \w+ and \w+"),
    ("plan: several rings", r"^rings\n(    .*\n|  moves.*\n)*  \w.*\n(    .*\n|  moves.*\n)*  [a-z_0-9, ]+: \d+ stages"),
    ("plan: copies ahead by the readers", r"copied by the threads that read it"),
    ("plan: cp.async, 16 bytes", r"cp\.async, 16 bytes"),
    ("plan: cp.async, 8 bytes", r"cp\.async, 8 bytes"),
    ("plan: cp.async, 4 bytes", r"cp\.async, 4 bytes"),
    ("plan: copies through registers", r"loads and stores to shared memory"),
    ("plan: input beside the rings", r"^  producer \([\s\S]*^  access to [xyw]\d*:"),
    ("plan: store by tensor copies", r"^  slots of \w+_store"),
    ("plan: persistent", r"as many CTAs as SMs"),
    ("plan: wgmma of i8", r"wgmma\.k32\.s32\.s8"),
    ("plan: strips", r"in strips of"),
    ("plan: columns", r"columns: the first axis fastest"),
]


def operations():
    """Returns every operation of the language, from the table of the tool, with the pattern of its call."""
    text = (ROOT / "generator/expression/operations.cpp").read_text()
    names = re.findall(r'\{Op::\w+, "([a-z]\w+)"', text)
    patterns = {"not": r"\(not ", "and": r" and ", "or": r" or ", "astype": r"\.astype\("}
    found = [(f"operation: {name}", patterns.get(name, rf"\b{name}\(")) for name in names if name != "element"]
    library = ("relu", "gelu", "gelu_tanh", "silu", "softplus", "identity", "softmax", "logsumexp", "quantize", "dequantize",
               "uniform", "normal", "squeeze")
    found += [(f"operation: {name}", rf"\b{name}\(") for name in library]
    found += [(f"operation: {sign}", rf" {re.escape(sign)} ") for sign in
              ("/", "//", "%", "**", "&", "|", "^", "<<", ">>", "@", "if")]
    return found


DTYPES = ("bool", "i4", "u4", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64", "f8e4m3",
          "f8e5m2", "f8e8m0", "f4e2m1")


def language_rows():
    rows = LANGUAGE + operations()
    for dtype in DTYPES:
        rows.append((f"dtype of an array: {dtype}", rf'type: "{dtype}\['))
        rows.append((f"cast to: {dtype}", rf"astype\({dtype}\)"))
    return [(name, re.compile(pattern, re.M)) for name, pattern in rows]


class Coverage:
    """Counts the specs that have each construct."""

    def __init__(self):
        self.rows = language_rows()
        self.plans = [(name, re.compile(pattern, re.M)) for name, pattern in PLANS]
        self.counts = {name: 0 for name, _ in [*self.rows, *self.plans]}

    def add(self, spec_texts, plan_texts):
        """Adds the texts of one spec under each of its settings, and of their plans."""
        for rows, texts in ((self.rows, spec_texts), (self.plans, plan_texts)):
            for name, pattern in rows:
                self.counts[name] += any(pattern.search(text) for text in texts)

    def missing(self):
        return [name for name, count in self.counts.items() if count == 0]

    def table(self):
        return "\n".join(f"  {count:5} {name}" for name, count in self.counts.items())
