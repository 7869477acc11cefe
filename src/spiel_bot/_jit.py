"""The one door to Numba: the ``@kernel`` decorator and a disk cache that never lies.

Numba stamps a cached function by its own file only, so a helper edited in another file
stays inlined in the old machine code; and two processes that save different signatures of
one function at the same moment can swap them. Here each compiled signature is one file,
named by a hash of everything the machine code was made from (`docs/decisions/0001`).
No other file of the package imports numba.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numba.core.serialize
import numpy as np
import platformdirs
from numba.core import types
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher

from spiel_bot.errors import KernelError
from spiel_bot.files import write_atomically

# Numba's settings and serialiser are not typed.
config: Any = numba.config
serialise: Any = numba.core.serialize.dumps

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "SPIEL_BOT_CACHE_DIR"

# Numba implements what kernels use of these itself: its version and theirs stand for the code.
OPAQUE_PACKAGES = frozenset({"builtins", "math", "numba", "numpy", "operator"})

# Settings of Numba that change the machine code but not the signature.
CODE_FLAGS = (
    "BOUNDSCHECK",
    "CPU_FEATURES",
    "CPU_NAME",
    "DEBUGINFO_DEFAULT",
    "DISABLE_INTEL_SVML",
    "ENABLE_AVX",
    "ENABLE_PROFILING",
    "EXTEND_VARIABLE_LIFETIMES",
    "LLVM_REFPRUNE_FLAGS",
    "LLVM_REFPRUNE_PASS",
    "LOOP_VECTORIZE",
    "OPT",
    "SLP_VECTORIZE",
)

UNUSED_FILE_DAYS = 60


def kernel(function: F) -> F:
    """Compile a function with Numba when it is first called, and keep the result on disk.

    The GIL is released while it runs. With ``NUMBA_DISABLE_JIT=1`` the function stays plain
    Python. Typed as identity, so that type checkers see through it.

    Raises:
        KernelError: The function closes over variables of another function. Such a kernel
            would never be found in the cache again; pass what it needs as arguments.
    """
    if config.DISABLE_JIT:
        return function
    if getattr(function, "__closure__", None):
        names = ", ".join(function.__code__.co_freevars)
        raise KernelError(
            f"kernel {function.__qualname__} closes over {names}; "
            "define it at module level and pass what it needs as arguments"
        )
    dispatcher: Any = numba.njit(nogil=True)(function)
    # What Dispatcher.enable_caching() does, with our cache instead of Numba's.
    dispatcher._cache = KernelCache(function)
    return cast(F, dispatcher)


class KernelCache:
    """The disk cache of one kernel, in the form a Numba dispatcher calls.

    Numba holds its global compiler lock around every call, so threads need no lock here.
    Processes need none either: a file is complete when it appears under its name, and its
    name says what is in it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function: Any = function

    @property
    def cache_path(self) -> str:
        """Directory of the cache, as ``Dispatcher.stats`` shows it."""
        return str(cache_directory())

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache is always on."""

    def flush(self) -> None:
        """Do nothing: a stale file is never found, so none has to be removed."""

    def load_overload(self, sig: Any, target_context: Any) -> Any | None:
        """Return the compiled code of a signature, or None where it must be compiled."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            payload = _unseal(path.read_bytes())
            os.utime(path)  # keeps it from being removed as unused
        except OSError:
            payload = None
        if payload is None:
            _announce_compilation(str(cache_directory()))
            return None
        rebuild: Any = CompileResult._rebuild
        return rebuild(target_context, *payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code of a signature; a full disk costs the cache, not the run."""
        if data.library.has_dynamic_globals or any(not x.can_cache for x in data.lifted):
            _say(f"kernel {self._function.__qualname__} cannot be cached: it uses a large global")
            return
        path = self._path(sig, data.codegen)
        try:
            write_atomically(path, _seal(serialise(data._reduce())))
        except OSError as error:
            _say(f"could not save a compiled kernel in {path.parent}: {error.strerror}")

    def _path(self, sig: Any, codegen: Any) -> Path:
        key = hashlib.sha256(fingerprint(self._function))
        key.update(repr((_signature_text(sig), codegen.magic_tuple())).encode())
        name = f"{self._function.__module__}.{self._function.__qualname__}"
        return cache_directory() / f"{name}-{key.hexdigest()[:32]}.kernel"


@functools.cache
def fingerprint(function: FunctionType) -> bytes:
    """Hash all that the machine code of a kernel is made from.

    That is its own bytecode, the bytecode of every kernel it calls, directly or not, the
    values of the constants they read, the versions of the compiler and the flags. Comments
    and line numbers do not count.
    """
    parts = []
    seen: set[FunctionType] = set()
    pending = [function]
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            reader = _Reader(current)
            parts.append(reader.text)
            pending.extend(reader.called)
    return hashlib.sha256("\n".join([_environment_text(), *sorted(parts)]).encode()).digest()


@functools.cache
def cache_directory() -> Path:
    """Return the directory of compiled kernels, created and proved writable.

    Where the user's own cache directory cannot be written, a temporary one serves this
    process, with one line on the terminal.
    """
    chosen = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("spiel_bot")
    directory = Path(chosen).expanduser() / "kernels"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError as error:
        temporary = Path(tempfile.mkdtemp(prefix="spiel_bot-kernels-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        _say(
            f"cannot write compiled kernels to {directory} ({error.strerror}); using a temporary "
            f"directory, so they are compiled at every start; set {CACHE_VARIABLE} to change that"
        )
        return temporary
    return directory


def _seal(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + content


def _unseal(sealed: bytes) -> Any | None:
    """Return what `_seal` packed, or None for a damaged file: it is then compiled anew."""
    digest, content = sealed[:32], sealed[32:]
    if hashlib.sha256(content).digest() != digest:
        return None
    # Written by this user on this machine; the directory is as trusted as the source itself.
    return pickle.loads(content)


def _environment_text() -> str:
    flags = [(name, getattr(config, name, None)) for name in CODE_FLAGS]
    versions = (sys.version_info[:3], numba.__version__, llvmlite.__version__, np.__version__)
    return repr((sys.implementation.cache_tag, versions, flags))


class _Reader:
    """Describes one function as compiled code sees it, and lists the functions it calls."""

    def __init__(self, function: FunctionType) -> None:
        self.called: list[FunctionType] = []
        self._names: set[str] = set()
        self._modules: set[str] = set()
        code = self._code(function.__code__)
        defaults = self._value((function.__defaults__, function.__kwdefaults__))
        read = sorted(self._names & function.__globals__.keys())
        constants = [(name, self._value(function.__globals__[name])) for name in read]
        home = (function.__module__, function.__qualname__)
        self.text = repr((home, code, defaults, constants))

    def _code(self, code: CodeType) -> str:
        self._names.update(code.co_names)
        constants = [self._value(constant) for constant in code.co_consts]
        names = (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
        shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
        return repr((code.co_code, code.co_exceptiontable, names, shape, constants))

    def _value(self, value: Any) -> str:
        """Describe what machine code takes over from a constant or a global.

        A value of a kind not known here is described by its `repr`. Where that holds an
        address the kernel is compiled at each start: slow, but never wrong.
        """
        if isinstance(value, CodeType):
            return self._code(value)
        if isinstance(value, Dispatcher):
            return self._call(value.py_func) + repr(value.targetoptions)
        if isinstance(value, np.ndarray):
            return repr((value.dtype, value.shape, hashlib.sha256(value.tobytes()).hexdigest()))
        if isinstance(value, tuple | list):
            return repr((_class_text(type(value)), [self._value(item) for item in value]))
        if isinstance(value, frozenset):
            # The order of a set of strings changes from process to process.
            return repr(sorted(self._value(item) for item in value))
        if isinstance(value, FunctionType):
            return self._call(value)
        if isinstance(value, ModuleType | type):
            return self._members(value)
        return repr(value)

    def _call(self, function: FunctionType) -> str:
        if not _is_opaque(function.__module__):
            self.called.append(function)
        return f"{function.__module__}.{function.__qualname__}"

    def _members(self, owner: ModuleType | type) -> str:
        """Describe a module or class by those of its members that the code may read."""
        if isinstance(owner, ModuleType):
            home = text = owner.__name__
        else:
            home, text = owner.__module__, _class_text(owner)
        if _is_opaque(home) or text in self._modules:
            return text
        self._modules.add(text)
        read = sorted(self._names.intersection(dir(owner)))
        return repr((text, [(name, self._value(getattr(owner, name))) for name in read]))


def _class_text(owner: type) -> str:
    return f"{owner.__module__}.{owner.__qualname__}{getattr(owner, '_fields', '')}"


def _is_opaque(module: str) -> bool:
    return module.partition(".")[0] in OPAQUE_PACKAGES


def _signature_text(sig: Any) -> str:
    arguments = sig.args if hasattr(sig, "args") else sig
    return repr([_type_text(argument) for argument in arguments])


def _type_text(argument: Any) -> str:
    """Describe an argument's type, with the field names that Numba leaves out of a NamedTuple."""
    if not isinstance(argument, types.BaseTuple):
        return str(argument)
    members: Any = argument
    home = getattr(argument, "instance_class", tuple)
    return repr((_class_text(home), [_type_text(member) for member in members]))


@functools.cache
def _announce_compilation(directory: str) -> None:
    """Say once per process that kernels are being compiled, and tidy up while at it."""
    _say(f"compiling kernels for this machine, once; later starts find them in {directory}")
    oldest = time.time() - UNUSED_FILE_DAYS * 86_400
    for path in Path(directory).glob("*.*"):
        with contextlib.suppress(OSError):  # another process may be quicker
            if path.suffix in {".kernel", ".tmp"} and path.stat().st_mtime < oldest:
                path.unlink()


def _say(message: str) -> None:
    sys.stderr.write(f"spiel_bot: {message}\n")
    sys.stderr.flush()
