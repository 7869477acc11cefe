"""The one door to Numba: the ``@kernel`` decorator and a disk cache that never lies.

Numba stamps a cached function by its own file only, so a helper edited in another file
stays inlined in the old machine code; and two processes that save different signatures of
one function at the same moment can swap them. Here each compiled signature is one file,
named by a hash of everything the machine code was made from; what cannot be hashed with
certainty is not cached (`docs/decisions/0001`). No other file of the package imports numba.
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
from types import FunctionType
from typing import Any, TypeVar, cast

import llvmlite
import numba
import numba.core.serialize
import numpy as np
import platformdirs
from numba.core import types
from numba.core.compiler import CompileResult

from spiel_bot._fingerprint import UncachableError, fingerprint
from spiel_bot.errors import KernelError
from spiel_bot.files import write_atomically

# These of Numba are not typed.
config: Any = numba.config
serialise: Any = numba.core.serialize.dumps
typeof: Any = numba.typeof

F = TypeVar("F", bound=Callable[..., Any])

CACHE_VARIABLE = "SPIEL_BOT_CACHE_DIR"

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

# Argument types whose text tells all that compiled code knows of them. Tuples are taken apart.
PLAIN_TYPES = (
    types.Array,
    types.Boolean,
    types.Literal,
    types.NoneType,
    types.Number,
    types.Omitted,
    types.Record,
    types.UnicodeType,
)

UNUSED_FILE_DAYS = 60

TEMPORARY_PREFIX = "spiel_bot-kernels-"


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
    dispatcher._cache = KernelCache(dispatcher)
    return cast(F, dispatcher)


def specialise(template: F, **meanings: Callable[..., Any]) -> F:
    """Return a kernel in which names of the template's module mean other functions.

    So one source joins the kernels of whatever game it is given, at the speed of one kernel and
    found again in the cache, whose key covers what every name means. Where one of the functions
    is not a kernel the result is plain Python.
    """
    return cast(F, _specialised(template, tuple(sorted(meanings.items()))))


@functools.cache
def _specialised(
    template: Callable[..., Any], meanings: tuple[tuple[str, Callable[..., Any]], ...]
) -> Callable[..., Any]:
    source: Any = getattr(template, "py_func", template)
    function = FunctionType(
        source.__code__, {**source.__globals__, **dict(meanings)}, source.__name__
    )
    function.__doc__, function.__module__ = source.__doc__, source.__module__
    if not all(hasattr(meaning, "py_func") for _, meaning in meanings):
        return function
    # Machine code of several copies may be loaded together: each needs a name of its own.
    names = [(name, m.__module__, m.__qualname__) for name, m in meanings]
    digest = hashlib.sha256(repr(names).encode()).hexdigest()[:16]
    function.__qualname__ = function.__name__ = f"{source.__name__}_{digest}"
    return kernel(function)


def bind(function: F, *arguments: Any) -> F:
    """Return the machine code of a kernel for arguments of exactly these types.

    Looking at the types of forty arrays takes longer than a short kernel, and holds the GIL.
    Nothing looks at them here: an argument of another type reads or writes where it must not.
    So only for memory that the caller has made himself, or checked.
    """
    if not hasattr(function, "py_func"):
        return function
    dispatcher: Any = function
    return cast(F, dispatcher.compile(tuple(map(typeof, arguments))))


class KernelCache:
    """The disk cache of one kernel, in the form a Numba dispatcher calls.

    Numba holds its global compiler lock around every call, so threads need no lock here.
    Processes need none either: a file is complete when it appears under its name, and its
    name says what is in it.
    """

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self._name = f"{dispatcher.py_func.__module__}.{dispatcher.py_func.__qualname__}"
        self._looked_for: dict[str, Path] = {}

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
        if path is None:
            return None
        self._looked_for[str(sig)] = path
        try:
            payload = _unseal(path.read_bytes())
            os.utime(path)  # keeps it from being removed as unused
        except OSError:
            payload = None
        if payload is None:
            _announce_compilation()
            return None
        rebuild: Any = CompileResult._rebuild
        return rebuild(target_context, *payload)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code of a signature; a full disk costs the cache, not the run."""
        if data.library.has_dynamic_globals or any(not x.can_cache for x in data.lifted):
            _say_once(f"kernel {self._name} is not cached: it uses a large global array")
            return
        path = self._path(sig, data.codegen)
        # A global may have changed while the kernel was compiled: then nobody knows which
        # value the code has.
        if path is None or path != self._looked_for.pop(str(sig), None):
            return
        try:
            write_atomically(path, _seal(serialise(data._reduce())))
        except OSError as error:
            _say_once(f"cannot save compiled kernels in {path.parent}: {error.strerror}")

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        try:
            signature = [_type_text(argument) for argument in getattr(sig, "args", sig)]
            key = hashlib.sha256(fingerprint(self._dispatcher, _environment_text()))
        except UncachableError as error:
            _say_once(f"kernel {self._name} is compiled at every start: {error}")
            return None
        key.update(repr((signature, codegen.magic_tuple())).encode())
        name = "".join(c if c.isalnum() or c in "._" else "_" for c in self._name)
        return cache_directory() / f"{name[-100:]}-{key.hexdigest()[:32]}.kernel"


@functools.cache
def cache_directory() -> Path:
    """Return the directory of compiled kernels, created and proved writable.

    Where the user's own cache directory cannot be written, or others could write to it, a
    private temporary one serves this process, with one line on the terminal.
    """
    chosen = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("spiel_bot")
    directory = Path(chosen).absolute() / "kernels"
    try:
        directory = Path(chosen).expanduser().absolute() / "kernels"
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=directory):
            pass
        problem = _distrust(directory)
    except (OSError, RuntimeError) as error:
        problem = getattr(error, "strerror", None) or str(error)
    if problem is None:
        return directory
    temporary = Path(tempfile.mkdtemp(prefix=TEMPORARY_PREFIX))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    _say_once(
        f"cannot keep compiled kernels in {directory} ({problem}); they are compiled at every "
        f"start; set {CACHE_VARIABLE} to a directory of your own to change that"
    )
    return temporary


def _distrust(directory: Path) -> str | None:
    """Return why a directory must not be trusted with code, None where it may be."""
    if not hasattr(os, "getuid"):
        return None
    status = directory.stat()
    if status.st_uid != os.getuid():
        return "it belongs to another user"
    return "everybody may write to it" if status.st_mode & 0o002 else None


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


def _type_text(argument: Any) -> str:
    """Describe an argument's type, with the field names that Numba leaves out of a NamedTuple.

    Raises:
        UncachableError: Its text may leave out something else.
    """
    if isinstance(argument, types.BaseTuple):
        members: Any = argument
        fields = getattr(argument, "fields", None)
        owner = getattr(argument, "instance_class", None)
        if owner is not None and owner.__module__ == "__main__":
            # A file of the cache would bring a copy of the class, which is another class.
            raise UncachableError(
                f"it takes a {owner.__name__}, which the program itself defines; put that into a "
                "module of its own"
            )
        return repr((fields, [_type_text(member) for member in members]))
    if not isinstance(argument, PLAIN_TYPES):
        raise UncachableError(f"it takes an argument of the type {argument}")
    return str(argument)


@functools.cache
def _announce_compilation() -> None:
    """Say once per process that kernels are being compiled, and tidy up while at it."""
    directory = cache_directory()
    is_kept = not directory.name.startswith(TEMPORARY_PREFIX)
    promise = f", once; later starts find them in {directory}" if is_kept else ""
    _say(f"compiling kernels for this machine{promise}")
    oldest = time.time() - UNUSED_FILE_DAYS * 86_400
    with contextlib.suppress(OSError):
        for path in directory.iterdir():
            with contextlib.suppress(OSError):  # another process may be quicker
                if path.suffix in {".kernel", ".tmp"} and path.stat().st_mtime < oldest:
                    path.unlink()


@functools.cache
def _say_once(message: str) -> None:
    _say(message)


def _say(message: str) -> None:
    with contextlib.suppress(AttributeError, OSError, ValueError):  # stderr may be closed
        sys.stderr.write(f"spiel_bot: {message}\n")
        sys.stderr.flush()
