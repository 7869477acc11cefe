"""What the machine code of a kernel is made from, as a hash.

The walk starts at a kernel and follows the names in its bytecode to what they mean: kernels it
calls, in whatever file, and the values of constants. What cannot be described with certainty is
an error, so that the cache of `_jit.py` leaves it out. Numba's own functions are recognised by
their class, which the start of the walk gives away; nothing here imports numba.
"""

import builtins
import dis
import functools
import hashlib
from enum import Enum, EnumMeta
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

# Numba implements what kernels use of these itself: its version and theirs stand for the code.
OPAQUE_PACKAGES = frozenset({"builtins", "math", "numba", "numpy", "operator"})

PLAIN_VALUES = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range)


MISSING = object()


class UncachableError(Exception):
    """Something a kernel reads cannot be described with certainty."""


def fingerprint(dispatcher: Any, environment: str) -> bytes:
    """Hash all that the machine code of a kernel is made from.

    That is its own bytecode, the bytecode of every kernel it calls, directly or not, and the
    values of the constants they read. Names of modules, comments and line numbers do not count.

    Args:
        dispatcher: The kernel, as Numba wraps it.
        environment: Versions and settings that change code.

    Raises:
        UncachableError: The code reads something whose content cannot be told.
    """
    walk = _Walk(type(dispatcher))
    entry = walk.value(dispatcher)
    # The list grows while it is read: each function adds those it calls.
    functions = [walk.function(called) for called in walk.functions]
    text = repr((environment, entry, functions))
    return hashlib.sha256(text.encode()).digest()


class _Walk:
    """Follows what compiled code takes over, from a kernel to everything it reads.

    Functions are numbered as they are met and referred to by number: two functions of one
    name cannot be mistaken for each other.
    """

    def __init__(self, dispatcher_type: type[Any] | None = None) -> None:
        self.functions: list[FunctionType] = []
        self._dispatcher_type = dispatcher_type
        self._members: dict[int, str] = {}

    def function(self, function: FunctionType) -> str:
        """Describe one function: its bytecode, defaults, closure and the globals it reads."""
        code, (names, attributes) = function.__code__, _reads(function.__code__)
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        outside = {
            name: function.__globals__.get(name, getattr(builtins, name, MISSING))
            for name in sorted(names)
        }
        parts = (function.__defaults__, function.__kwdefaults__, cells)
        constants = [
            (name, self.value(value, attributes))
            for name, value in outside.items()
            if value is not MISSING  # Numba will complain
        ]
        return repr((_code_text(code), self.value(parts, attributes), constants))

    def value(self, value: Any, attributes: frozenset[str] = frozenset()) -> str:
        """Describe a constant or a global.

        Args:
            value: What the code finds under a name.
            attributes: Names the code may look up in a module or class.

        Raises:
            UncachableError: It is of a kind whose content is not known to be told in full.
        """
        if self._dispatcher_type is not None and isinstance(value, self._dispatcher_type):
            return f"call {self._number(value.py_func)} {sorted(value.targetoptions.items())}"
        if isinstance(value, np.dtype | np.ndarray | np.generic):
            return _array_text(value)
        if isinstance(value, EnumMeta | Enum):
            return self._enum(value)
        if isinstance(value, tuple | list | frozenset | dict):
            return self._container(value, attributes)
        if type(value) in PLAIN_VALUES:
            return repr(value)
        return self._named(value, attributes)

    def _enum(self, value: EnumMeta | Enum) -> str:
        if isinstance(value, Enum):
            return f"{self._enum(type(value))} {value.name}"
        named: Any = value.__members__.items()  # aliases included
        return repr((value.__qualname__, [(name, self.value(m.value)) for name, m in named]))

    def _container(self, value: Any, attributes: frozenset[str]) -> str:
        if isinstance(value, dict):
            return repr([(key, self.value(value[key], attributes)) for key in sorted(value)])
        members = [self.value(item, attributes) for item in value]
        if isinstance(value, frozenset):
            members.sort()  # the order of a set of strings changes from process to process
        return repr((type(value).__qualname__, getattr(value, "_fields", None), members))

    def _number(self, function: FunctionType) -> int:
        for number, known in enumerate(self.functions):
            if known is function:
                return number
        self.functions.append(function)
        return len(self.functions) - 1

    def _named(self, value: Any, attributes: frozenset[str]) -> str:
        """Describe what stands for itself by its name, or for the members that are read."""
        name = getattr(value, "__qualname__", getattr(value, "__name__", ""))
        if isinstance(value, ModuleType):
            if _is_opaque(value.__name__):
                return value.__name__
            return self._read_members(value, attributes)
        if isinstance(value, type) and hasattr(value, "_fields"):
            return repr((name, value._fields))
        home = getattr(value, "__module__", None) or type(value).__module__
        is_plain = isinstance(value, type | FunctionType | BuiltinFunctionType)
        # NumPy wraps its functions in objects of its own; Numba's own objects may hold code.
        is_numpy = type(value).__module__.partition(".")[0] == "numpy"
        if name and _is_opaque(home) and (is_plain or is_numpy):
            return f"{home}.{name}"
        raise UncachableError(f"it reads {name or value!r}, a {type(value).__name__}")

    def _read_members(self, module: ModuleType, attributes: frozenset[str]) -> str:
        if id(module) not in self._members:
            self._members[id(module)] = module.__name__
            read = [(name, getattr(module, name, MISSING)) for name in sorted(attributes)]
            members = [
                (name, self.value(member, attributes))
                for name, member in read
                if member is not MISSING
            ]
            self._members[id(module)] = repr(members)
        return self._members[id(module)]


@functools.cache
def _reads(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Return the global names that bytecode reads, and the names it looks up in objects."""
    names: set[str] = set()
    attributes: set[str] = set()
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            names.add(instruction.argval)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            attributes.add(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            inner_names, inner_attributes = _reads(constant)
            names |= inner_names
            attributes |= inner_attributes
    return frozenset(names), frozenset(attributes)


@functools.cache
def _code_text(code: CodeType) -> str:
    constants = [
        _code_text(constant) if isinstance(constant, CodeType) else _Walk().value(constant)
        for constant in code.co_consts
    ]
    names = (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    shape = (code.co_argcount, code.co_kwonlyargcount, code.co_flags)
    return repr((code.co_code, code.co_exceptiontable, names, shape, constants))


def _array_text(value: Any) -> str:
    """Describe a dtype, an array or one element of it, by its bytes."""
    dtype = value if isinstance(value, np.dtype) else value.dtype
    if dtype.hasobject:
        raise UncachableError(f"it reads Python objects in an array of {dtype}")
    layout = (repr(dtype), dtype.itemsize, dtype.isalignedstruct)
    if isinstance(value, np.dtype):
        return repr(layout)
    return repr((layout, value.shape, hashlib.sha256(value.tobytes()).hexdigest()))


def _is_opaque(module: str) -> bool:
    return module.partition(".")[0] in OPAQUE_PACKAGES
