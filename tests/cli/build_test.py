"""build: the files that nvcc makes of specs, and its messages, by a stand-in for the toolkit's programs."""
import os
import unittest

from harness import ToolTest, run

# nvcc: writes the file that -o names; the second time it prints a message of ptxas.
NVCC = """\
#!/bin/sh
echo "$@" >>"$0.log"
while [ "$1" != -o ]; do [ "$1" = -Xptxas ] && says=yes; shift; done
echo made >"$2"
[ -n "$says" ] && cat <<END
ptxas info    : Function properties for one
    {stack} bytes stack frame, {spills} bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers
ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to a call
ptxas info    : Function properties for two
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 168 registers, used 3 barriers
END
exit 0
"""


class Build(ToolTest):
    def setUp(self):
        super().setUp()
        self.root = self.folder / "toolkit"
        (self.root / "bin").mkdir(parents=True)
        self.to = self.folder / "kept"

    def program(self, name, text):
        path = self.root / "bin" / name
        path.write_text(text)
        path.chmod(0o755)

    def build(self, *more):
        return run("build", self.spec, "--to", self.to, *more, env=dict(os.environ, CUDAToolkit_ROOT=str(self.root)))

    def kept(self):
        return sorted(path.name for path in self.to.iterdir())

    def test_what_is_kept_and_said(self):
        self.program("nvcc", NVCC.format(stack=16, spills=24))
        done = self.build()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "add: 168 registers a thread, 24 bytes stored and 8 loaded for want of registers, 16 bytes of "
                         "stack frame, 3 barriers\n  ptxas says C7510: Potential Performance Loss: wgmma.mma_async instructions "
                         "are serialized due to a call\n")
        self.assertEqual(self.kept(), ["add.cu", "add.cubin", "add.h", "add.plan.json", "add.ptx", "add.ptxas"])
        log = (self.root / "bin/nvcc.log").read_text()
        self.assertIn("-arch=compute_90a --ptx", log)
        self.assertIn("-arch=sm_90a --cubin -Xptxas -v", log)
        self.assertIn("Used 168 registers", (self.to / "add.ptxas").read_text())

    def test_machine_code(self):
        self.program("nvcc", NVCC.format(stack=0, spills=0).replace("8 bytes spill loads", "0 bytes spill loads"))
        done = self.build("--dump", "sass")
        self.assertEqual(done.returncode, 4)
        self.assertIn("neither nvdisasm nor cuobjdump", done.stderr)
        self.assertIn("[device-disassembler]", done.stderr)
        self.assertIn("add: 168 registers a thread, no spills, no stack frame, 3 barriers\n", done.stdout)
        self.assertEqual(self.kept(), ["add.cu", "add.cubin", "add.h"])
        self.program("cuobjdump", '#!/bin/sh\necho "code of $2 by $1"\n')
        self.assertEqual(self.build("--dump", "sass").returncode, 0)
        self.assertEqual((self.to / "add.sass").read_text(), f"code of {self.to}/add.cubin by -sass\n")
        self.program("nvdisasm", "#!/bin/sh\necho it is broken\nexit 1\n")
        done = self.build("--dump", "sass")
        self.assertEqual(done.returncode, 4)
        self.assertIn("it is broken", done.stderr)

    def test_no_compiler_and_one_that_fails(self):
        done = self.build()
        self.assertEqual(done.returncode, 4)
        self.assertIn("[device-compiler]", done.stderr)
        self.program("nvcc", "#!/bin/sh\necho no room left\nexit 1\n")
        done = self.build()
        self.assertEqual(done.returncode, 4)
        self.assertIn("[device-compile]", done.stderr)
        self.assertIn("no room left", done.stderr)

    def test_a_folder_that_cannot_be_made(self):
        self.program("nvcc", NVCC.format(stack=0, spills=0))
        self.to.write_text("a file\n")
        done = self.build()
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertIn("[output-write]", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
