"""The kernel cache never lies: each test runs small programs in processes of their own."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from tests.nursery import Nursery

import spiel_bot
from spiel_bot._fingerprint import fingerprint
from spiel_bot._jit import UNUSED_FILE_DAYS, bind, kernel, specialise
from spiel_bot.errors import KernelError

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

COMPILING = "compiling kernels"

HELPER = """
from spiel_bot._jit import kernel

STEP = 1

@kernel
def helper(x):
    return x + 1
"""

MAIN = """
from spiel_bot._jit import kernel
from demo.helper import STEP, helper

@kernel
def entry(x):
    return 10 * helper(x) + STEP
"""

RUN = """
import sys
from demo.main import entry
answer = entry(int(sys.argv[1]))
stats = entry.stats
print(answer, sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


@dataclass
class Demo:
    """A package with kernels in two files, a program that uses it, and a cache of its own."""

    folder: Path

    nursery: Nursery | None = None
    """Where programs begin quickly, or None to start each from nothing."""

    def write(self, name: str, text: str) -> None:
        """Write a file, with a new time stamp even if the clock is coarse."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text()
        assert old in text
        self.write(name, text.replace(old, new))

    def environment(self) -> dict[str, str]:
        cache = {"SPIEL_BOT_CACHE_DIR": str(self.folder / "cache")}
        return clean_environment() | {"PYTHONDONTWRITEBYTECODE": "1"} | cache

    def start(self, *arguments: str, **variables: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "run.py", *arguments],
            cwd=self.folder,
            env=self.environment() | variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, **variables: str) -> tuple[str, str]:
        """Return what the program printed and what it said on stderr."""
        if self.nursery is None or any(name.startswith("NUMBA_") for name in variables):
            process = self.start(*arguments, **variables)
            printed, said = process.communicate()
            code = process.returncode
        else:
            environment = self.environment() | variables
            code, printed, said = self.nursery.run(("run.py", *arguments), self.folder, environment)
        assert code == 0, said
        return printed.strip(), said

    def answer(self, *arguments: str, **variables: str) -> int:
        return int(self.run(*(arguments or ("1",)), **variables)[0].split()[0])

    def cached(self) -> list[Path]:
        return sorted((self.folder / "cache" / "kernels").iterdir())


def clean_environment() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery | None]:
    if not hasattr(os, "fork"):
        yield None
        return
    nursery = Nursery(clean_environment())
    yield nursery
    nursery.close()


@pytest.fixture
def demo(tmp_path: Path, nursery: Nursery | None) -> Demo:
    package = Demo(tmp_path, nursery)
    package.write("demo/__init__.py", "")
    package.write("demo/helper.py", HELPER)
    package.write("demo/main.py", MAIN)
    package.write("run.py", RUN)
    return package


@pytest.mark.parametrize("is_forked", [True, False])
def test_the_second_process_finds_the_cache_and_says_nothing(demo: Demo, is_forked: bool) -> None:
    demo.nursery = demo.nursery if is_forked else None
    printed, said = demo.run("1")
    assert printed == "21 0 1"
    assert said.count(COMPILING) == 1
    assert said.count("\n") == 1
    assert demo.run("1") == ("21 1 0", "")


@pytest.mark.parametrize(
    ("old", "new", "answer"), [("x + 1", "x + 2", 31), ("STEP = 1", "STEP = 5", 25)]
)
def test_editing_another_file_recompiles(demo: Demo, old: str, new: str, answer: int) -> None:
    assert demo.answer() == 21
    demo.edit("demo/helper.py", old, new)
    assert demo.answer() == answer


def test_the_cache_of_numba_itself_would_have_lied(demo: Demo) -> None:
    # Shows that the test above has teeth: with plain cache=True the old helper stays inlined.
    for name in ("demo/helper.py", "demo/main.py"):
        demo.edit(name, "from spiel_bot._jit import kernel", "import numba")
        demo.edit(name, "@kernel", "@numba.njit(cache=True)")
    assert demo.answer() == 21
    demo.edit("demo/helper.py", "x + 1", "x + 2")
    assert demo.answer() == 21


def test_editing_a_helper_of_the_package_itself_recompiles(demo: Demo) -> None:
    shutil.copytree(Path(spiel_bot.__file__).parent, demo.folder / "spiel_bot")
    demo.write(
        "run.py",
        "import numpy as np\nfrom spiel_bot.rng import next_word\n"
        "print(next_word(np.array([1, 2, 3, 4])))",
    )
    assert demo.answer() == 641
    demo.edit("spiel_bot/rng.py", "(32 - bits))) & MASK", "(32 - bits)) ^ 1) & MASK")
    assert demo.answer() == 642


def test_editing_a_comment_does_not_recompile(demo: Demo) -> None:
    demo.run("1")
    demo.edit("demo/helper.py", "STEP = 1", "# A longer explanation.\n\nSTEP = 1  # one")
    assert demo.run("1") == ("21 1 0", "")


@pytest.mark.parametrize(
    ("reference", "call"),
    [
        ("import demo.helper as other", "other.helper(x) + other.STEP"),
        ("import demo.helper", "demo.helper.helper(x) + demo.helper.STEP"),
        ("from demo import helper as other", "other.helper(x) + other.STEP"),
    ],
)
def test_helpers_are_followed_however_they_are_reached(
    demo: Demo, reference: str, call: str
) -> None:
    demo.write(
        "demo/main.py",
        f"from spiel_bot._jit import kernel\n{reference}\n\n"
        f"@kernel\ndef entry(x):\n    return {call}\n",
    )
    assert demo.answer() == 3
    assert demo.run("1") == ("3 1 0", "")
    demo.edit("demo/helper.py", "x + 1", "x + 2")
    assert demo.answer() == 4
    demo.edit("demo/helper.py", "STEP = 1", "STEP = 10")
    assert demo.answer() == 13


KERNEL = "from spiel_bot._jit import kernel\n"
ENTRY = "@kernel\ndef entry(x):\n    return "

# What is read, how the kernel reads it, and an edit that must be noticed: all gave stale code in
# an earlier version, or do with Numba's own cache.
EDITS = {
    "array": ("import numpy as np\nT = np.array([10, 20])\n", "T[x]", "20", "30"),
    "default": ("", "x + more", "more=100", "more=200"),
    "enum": ("import enum\nclass S(enum.IntEnum):\n    A = 1\n", "S.A + x", "A = 1", "A = 2"),
    "enum alias": (
        "import enum\nclass S(enum.IntEnum):\n    A = 1\n    B = 2\n    C = 1\n",
        "S.C + x",
        "C = 1",
        "C = 2",
    ),
    "two kernels of one name": (
        "a = kernel(lambda x: x + 1)\nb = kernel(lambda x: x + 2)\n",
        "10 * a(x) + b(x)",
        "a = kernel(lambda x: x + 1)\nb = kernel(lambda x: x + 2)",
        "a = kernel(lambda x: x + 2)\nb = kernel(lambda x: x + 1)",
    ),
    "closure of a helper": (
        "import numba\ndef make(n):\n    @numba.njit\n    def add(x):\n        return x + n\n"
        "    return add\nadd = make(1)\n",
        "add(x)",
        "make(1)",
        "make(2)",
    ),
    "vectorize": (
        "import numba\n@numba.vectorize\ndef add(x):\n    return x + 1\n",
        "add(x)",
        "x + 1",
        "x + 2",
    ),
    "a name in builtins": ("import builtins\nbuiltins.MORE = 1\n", "MORE + x", "= 1", "= 2"),
}


@pytest.mark.parametrize("kind", EDITS)
def test_whatever_a_kernel_reads_is_followed(demo: Demo, kind: str) -> None:
    before, expression, old, new = EDITS[kind]
    entry = ENTRY.replace("(x)", "(x, more=100)") if "more" in expression else ENTRY
    demo.write("demo/main.py", KERNEL + before + "\n" + entry + expression + "\n")
    first = demo.answer()
    demo.edit("demo/main.py", old, new)
    truth = demo.answer("1", SPIEL_BOT_CACHE_DIR=str(demo.folder / "other"))
    assert truth != first
    assert demo.answer() == truth


@pytest.mark.parametrize("argument", ["Pair(7, 8)", "[Pair(7, 8)]"])
def test_fields_of_a_named_tuple_are_part_of_the_signature(demo: Demo, argument: str) -> None:
    demo.write(
        "demo/pair.py",
        "from typing import NamedTuple\n\nclass Pair(NamedTuple):\n    left: int\n    right: int\n",
    )
    pair = "pair[0].left" if argument.startswith("[") else "pair.left"
    demo.write("demo/main.py", KERNEL + f"@kernel\ndef entry(pair):\n    return {pair}\n")
    demo.write(
        "run.py",
        "import warnings\nwarnings.simplefilter('ignore')\n"
        f"from demo.main import entry\nfrom demo.pair import Pair\nprint(entry({argument}))",
    )
    assert demo.answer() == 7
    demo.edit("demo/pair.py", "    left: int\n    right: int\n", "    right: int\n    left: int\n")
    assert demo.answer() == 8


def test_a_kernel_that_cannot_be_described_says_so_and_works(demo: Demo) -> None:
    demo.write("demo/main.py", KERNEL + EDITS["vectorize"][0] + ENTRY + "add(x)\n")
    for _ in range(2):
        printed, said = demo.run("1")
        assert printed.startswith("2 ")
        assert (
            said.count("demo.main.entry is compiled at every start: it reads 'add', a DUFunc") == 1
        )


def test_functions_of_numpy_are_known_by_name(demo: Demo) -> None:
    source = "from numpy import argmax, array\n" + ENTRY + "argmax(array([x, 5, 2]))\n"
    demo.write("demo/main.py", KERNEL + source)
    assert demo.answer() == 1
    assert demo.run("1") == ("1 1 0", "")


def test_options_of_the_decorator_are_part_of_the_code(demo: Demo) -> None:
    shutil.copytree(Path(spiel_bot.__file__).parent, demo.folder / "spiel_bot")
    demo.write("demo/main.py", KERNEL + ENTRY + "1 / (x - 1)\n")
    demo.write(
        "run.py",
        "from demo.main import entry\ntry:\n    print(int(entry(1) > 0))\n"
        "except ZeroDivisionError:\n    print(2)",
    )
    assert demo.answer() == 2
    demo.edit("spiel_bot/_jit.py", "njit(nogil=True)", "njit(nogil=True, error_model='numpy')")
    assert demo.answer() == 1


def test_a_global_that_changes_while_running_does_not_spoil_the_cache(demo: Demo) -> None:
    demo.write("demo/main.py", KERNEL + "STEP = 1\n" + ENTRY + "x + STEP\n")
    demo.write(
        "run.py",
        "import sys\nfrom demo import main\nif len(sys.argv) > 2:\n    main.entry(1)\n"
        "    main.STEP = 100\nprint(int(main.entry(1.0)))",
    )
    assert demo.answer("1", "change") == 101
    assert demo.answer() == 2


def test_versions_and_processor_are_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    class Processor:
        def __init__(self, name: str) -> None:
            self.name = name

        def magic_tuple(self) -> tuple[str, ...]:
            return (self.name,)

    dispatcher: Any = kernel(plain)
    paths = {dispatcher._cache._path((), Processor(name)) for name in ("old", "new", "new")}
    assert len(paths) == 2
    monkeypatch.setattr("numba.__version__", "0.0")
    assert dispatcher._cache._path((), Processor("new")) not in paths


def plain(x: int) -> int:
    return x


RECORD = np.zeros(1, [("numbers", np.int64, (2000,))])[0]


def reads_a_record(i: int) -> int:
    return int(RECORD["numbers"][i])


def test_a_large_record_is_known_by_its_bytes() -> None:
    # NumPy prints the middle of it as "..."; compiling such a constant takes Numba a minute.
    dispatcher: Any = kernel(reads_a_record)
    before = fingerprint(dispatcher, "")
    RECORD["numbers"][1000] = 5
    changed = fingerprint(dispatcher, "")
    RECORD["numbers"][1000] = 0
    assert changed != before
    assert fingerprint(dispatcher, "") == before


def test_the_caches_of_other_packages_are_left_alone(demo: Demo) -> None:
    demo.write(
        "other/__init__.py", "import numba\n\n@numba.njit(cache=True)\ndef f(x):\n    return x\n"
    )
    demo.write(
        "run.py",
        "import numba\nbefore = numba.config.CACHE_DIR\n"
        "from demo.main import entry\nfrom other import f\n"
        "entry(1)\nf(1)\nassert numba.config.CACHE_DIR == before\n"
        "print(f._cache.cache_path)",
    )
    printed, _ = demo.run(PYTHONDONTWRITEBYTECODE="")
    assert Path(printed) == demo.folder / "other" / "__pycache__"
    assert list(Path(printed).glob("*.nbi"))
    assert not [path for path in demo.cached() if path.name.startswith("other")]
    assert not list((demo.folder / "demo" / "__pycache__").glob("*.nb*"))


def unwritable_folders() -> list[str]:
    """Folders nobody can write to, root included: one below a file, one the kernel owns."""
    return ["run.py/cache", *(["/sys"] if Path("/sys/kernel").exists() else [])]


@pytest.mark.parametrize("folder", unwritable_folders())
def test_an_unwritable_cache_still_works_with_one_warning(demo: Demo, folder: str) -> None:
    temporary = demo.folder / "temporary"
    temporary.mkdir()
    printed, said = demo.run("1", SPIEL_BOT_CACHE_DIR=folder, TMPDIR=str(temporary))
    assert printed.startswith("21 ")
    assert said.count("cannot keep compiled kernels in") == 1
    assert said.count("\n") == 2
    assert "SPIEL_BOT_CACHE_DIR" in said
    assert "later starts" not in said
    assert not list(temporary.iterdir())  # removed when the process ended


def test_a_cache_that_becomes_read_only_later_still_works(demo: Demo) -> None:
    demo.write(
        "run.py",
        "import shutil\nfrom demo.main import entry\nfrom spiel_bot._jit import cache_directory\n"
        "shutil.rmtree(cache_directory())\nprint(entry(1))",
    )
    printed, said = demo.run()
    assert printed == "21"
    assert said.count("cannot save compiled kernels in") == 1


def test_a_cache_that_everybody_may_write_to_is_not_trusted(demo: Demo) -> None:
    kernels = demo.folder / "cache" / "kernels"
    kernels.mkdir(parents=True)
    kernels.chmod(0o777)
    printed, said = demo.run("1")
    assert printed.startswith("21 ")
    assert "everybody may write to it" in said
    assert not list(kernels.iterdir())


def test_a_closed_stderr_does_not_matter(demo: Demo) -> None:
    demo.edit("run.py", "import sys\n", "import sys\nsys.stderr = None\n")
    assert demo.run("1") == ("21 0 1", "")


def test_a_file_in_use_is_kept_fresh(demo: Demo) -> None:
    demo.run("1")
    long_ago = time.time() - 50 * 86_400
    for path in demo.cached():
        os.utime(path, (long_ago, long_ago))
    demo.run("1")
    (used,) = [path for path in demo.cached() if path.name.startswith("demo.main.entry")]
    assert used.stat().st_mtime > long_ago + 86_400


def test_processes_that_compile_at_the_same_time_do_not_break_each_other(demo: Demo) -> None:
    demo.edit("run.py", "int(sys.argv[1])", "eval(sys.argv[1])")
    arguments = ["1", "1.0", "1j", "True"] * 2
    processes = [demo.start(argument) for argument in arguments]
    for process, argument in zip(processes, arguments, strict=True):
        printed, said = process.communicate()
        assert process.returncode == 0, said
        assert complex(printed.split()[0]) == 10 * (complex(eval(argument)) + 1) + 1
    for argument in arguments:
        assert demo.run(argument)[0].split()[1:] == ["1", "0"]
    assert not [path for path in demo.cached() if path.suffix == ".tmp"]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_a_damaged_file_is_compiled_anew(demo: Demo, damage: bytes) -> None:
    demo.run("1")
    for path in demo.cached():
        path.write_bytes(damage)
    assert demo.run("1")[0] == "21 0 1"
    assert demo.run("1")[0] == "21 1 0"


def test_bounds_are_checked_even_on_a_warm_cache(demo: Demo) -> None:
    demo.write(
        "demo/main.py",
        "from spiel_bot._jit import kernel\n\n@kernel\ndef entry(x, i):\n    return x[i]\n",
    )
    demo.write(
        "run.py",
        "import numpy as np\nfrom demo.main import entry\n"
        "try:\n    entry(np.zeros(9)[:3], 5)\n    print(0)\nexcept IndexError:\n    print(1)",
    )
    assert demo.answer() == 0
    assert demo.answer(NUMBA_BOUNDSCHECK="1") == 1
    assert demo.answer() == 0


def test_without_the_jit_a_kernel_is_plain_python(demo: Demo) -> None:
    demo.edit("run.py", "stats = entry.stats", "assert not hasattr(entry, 'stats')")
    demo.edit("run.py", "print(answer, ", "print(answer)\n#")
    assert demo.run("1", NUMBA_DISABLE_JIT="1") == ("21", "")


def test_files_unused_for_long_are_removed(demo: Demo) -> None:
    demo.run("1")
    old = demo.folder / "cache" / "kernels" / "demo.gone-0.kernel"
    foreign = demo.folder / "cache" / "kernels" / "notes.txt"
    for path in (old, foreign):
        path.write_bytes(b"")
        long_ago = time.time() - (UNUSED_FILE_DAYS + 1) * 86_400
        os.utime(path, (long_ago, long_ago))
    demo.run("1")
    assert old.exists()  # nothing was compiled, so nothing was tidied
    demo.edit("demo/helper.py", "x + 1", "x + 2")
    demo.run("1")
    assert not old.exists()
    assert foreign.exists()


def test_a_kernel_that_closes_over_variables_is_refused() -> None:
    factor = 3

    def scaled(x: int) -> int:
        return factor * x

    with pytest.raises(KernelError, match=r"scaled closes over factor; define it at module level"):
        kernel(scaled)


SCRIPT = """
from typing import NamedTuple
from spiel_bot._jit import kernel

class Pair(NamedTuple):
    a: int
    b: int

@kernel
def inner(pair):
    return pair.a + pair.b

@kernel
def outer(x):
    return inner(Pair(x, x)) + 1

print(outer(3))
"""


def test_a_tuple_that_a_program_defines_itself_survives_an_edit(tmp_path: Path) -> None:
    demo = Demo(tmp_path)
    demo.write("run.py", SCRIPT)
    for expected, old, new in (("7", "+ 1", "+ 2"), ("8", "+ 2", "+ 3"), ("9", "+ 3", "+ 3")):
        out, err = demo.start().communicate()
        assert out.strip() == expected, err
        assert "it takes a Pair, which the program itself defines" in err
        demo.edit("run.py", old, new)


JOINED = """
from spiel_bot._jit import kernel, specialise

@kernel
def rule(x):
    return 0

@kernel
def template(x):
    return 10 * rule(x) + 1

def joined(rule):
    return specialise(template, rule=rule)
"""

RUN_JOINED = """
import sys
from demo.helper import double, helper
from demo.joined import joined
first, second = joined(helper), joined(double)
answer = 1000 * first(int(sys.argv[1])) + second(int(sys.argv[1]))
hits = [sum(entry.stats.cache_hits.values()) for entry in (first, second)]
print(answer, *hits, joined(helper) is first)
"""


@pytest.fixture
def joined(demo: Demo) -> Demo:
    """Two kernels made from one template."""
    demo.write("demo/helper.py", HELPER + "\n@kernel\ndef double(x):\n    return 2 * x\n")
    demo.write("demo/joined.py", JOINED)
    demo.write("run.py", RUN_JOINED)
    return demo


def test_kernels_made_from_one_template_are_found_again_side_by_side(joined: Demo) -> None:
    assert joined.run("3")[0] == "41061 0 0 True"
    assert joined.run("3") == ("41061 1 1 True", "")


def test_editing_what_a_name_of_a_template_means_recompiles(joined: Demo) -> None:
    joined.run("3")
    joined.edit("demo/helper.py", "return 2 * x", "return 3 * x")
    assert joined.run("3")[0] == "41091 1 0 True"


def test_a_template_with_a_plain_function_stays_plain_python() -> None:
    words = specialise(sentence, word=lambda: "dice")
    assert words() == "no dice"
    assert sentence() == "no word"


def word() -> str:
    return "word"


def sentence() -> str:
    return f"no {word()}"


def test_a_bound_kernel_computes_what_the_kernel_does() -> None:
    numbers = np.arange(5.0)
    code = bind(total_of, Pair(numbers, 2))
    assert code(Pair(numbers, 3)) == total_of(Pair(numbers, 3)) == 30.0
    assert bind(word) is word


class Pair(NamedTuple):
    numbers: npt.NDArray[np.float64]
    factor: int


@kernel
def total_of(pair: Pair) -> float:
    return float(pair.factor * pair.numbers.sum())
