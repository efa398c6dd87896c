"""ONNX Runtime through its C interface, for a process that encodes one text: the Python package imports NumPy, which takes 0.1 s.

The C interface is stable: a function keeps its place in the table, and new ones are appended. Places and types are those of
``onnxruntime_c_api.h`` (https://github.com/microsoft/onnxruntime). Models are in ORT's own format and are mapped, so that their
weights are read in place. Tensors are released; the library and its sessions stay until the process ends.
"""

from __future__ import annotations

import array
import ctypes
import glob
import importlib.machinery
import mmap
import os
import typing

_LIBRARIES = ("libonnxruntime.so.*", "libonnxruntime.*.dylib", "onnxruntime.dll")
_VERSION = 17  # version of the C interface, from the oldest ONNX Runtime that has every function used here
_FLOAT, _INT64 = 1, 7  # ONNXTensorElementDataType
_ERROR = 3  # OrtLoggingLevel
_SETTINGS = (
    "session.use_ort_model_bytes_directly",
    "session.use_ort_model_bytes_for_initializers",
    "session.disable_prepacking",  # prepacking only pays off from the third text on
)

_Pointer = ctypes.c_void_p
_Text = ctypes.c_char_p
_Size = ctypes.c_size_t
_Enum = ctypes.c_int
# name -> place in the table, types of the arguments
_FUNCTIONS: dict[str, tuple[int, tuple[typing.Any, ...]]] = {
    "CreateEnv": (3, (_Enum, _Text, _Pointer)),
    "CreateSessionFromArray": (8, (_Pointer, _Pointer, _Size, _Pointer, _Pointer)),
    "Run": (9, (_Pointer, _Pointer, _Pointer, _Pointer, _Size, _Pointer, _Size, _Pointer)),
    "CreateSessionOptions": (10, (_Pointer,)),
    "SetSessionLogSeverityLevel": (22, (_Pointer, _Enum)),
    "SetSessionGraphOptimizationLevel": (23, (_Pointer, _Enum)),
    "SetIntraOpNumThreads": (24, (_Pointer, _Enum)),
    "CreateTensorWithDataAsOrtValue": (49, (_Pointer, _Pointer, _Size, _Pointer, _Size, _Enum, _Pointer)),
    "GetTensorMutableData": (51, (_Pointer, _Pointer)),
    "CreateCpuMemoryInfo": (69, (_Enum, _Enum, _Pointer)),
    "AddSessionConfigEntry": (130, (_Pointer, _Text, _Text)),
}
_RELEASE_VALUE = 96
_MESSAGE_OF_STATUS = 2


class OnnxError(Exception):
    """There is no library with a C interface, or a call to it failed."""


class Map:
    """A mapped file, or a part or a view of it, in the form that C needs.

    Attributes:
        address: of its first byte.
        length: in bytes.
    """

    __slots__ = ("_keep", "address", "length")

    def __init__(self, mapped: mmap.mmap | memoryview, start: int = 0, length: int | None = None) -> None:
        """Args: mapped: a private, writable map (``ACCESS_COPY``): ctypes takes no other. start, length: of the part in bytes."""
        self.length = len(mapped) - start if length is None else length
        self._keep = (mapped, (ctypes.c_char * self.length).from_buffer(mapped, start))
        self.address = ctypes.addressof(self._keep[1])


class Value:
    """A tensor, and what has to live as long as it does. The tensor is released with this object."""

    __slots__ = ("_keep", "_release", "handle")

    def __init__(self, handle: typing.Any, release: typing.Callable[[typing.Any], None], keep: typing.Any = None) -> None:
        self.handle = handle
        self._release = release
        self._keep = keep

    def __del__(self) -> None:
        self._release(self.handle)


class Runtime:
    """The library, with one environment.

    Raises:
        OnnxError: the installed package has no library with a C interface, or an incompatible one.
    """

    def __init__(self) -> None:
        try:
            library = ctypes.CDLL(_library())
            library.OrtGetApiBase.restype = _Pointer
            base = ctypes.cast(library.OrtGetApiBase(), ctypes.POINTER(_Pointer))
            table = ctypes.CFUNCTYPE(_Pointer, ctypes.c_uint32)(base[0] or 0)(_VERSION)
        except (OSError, AttributeError) as error:
            raise OnnxError(str(error)) from None
        if not table:
            raise OnnxError(f"it has no interface of version {_VERSION}")
        self._table = ctypes.cast(table, ctypes.POINTER(_Pointer))
        self._message = ctypes.CFUNCTYPE(_Text, _Pointer)(self._table[_MESSAGE_OF_STATUS] or 0)
        self._release = ctypes.CFUNCTYPE(None, _Pointer)(self._table[_RELEASE_VALUE] or 0)
        self._functions: dict[str, typing.Any] = {}
        self._kept: list[Map] = []
        self._environment = self._made("CreateEnv", _ERROR, b"tfhelp")
        self._memory = self._made("CreateCpuMemoryInfo", 0, 0)
        self._options = self._made("CreateSessionOptions")
        self._call("SetSessionLogSeverityLevel", self._options, _ERROR)
        self._call("SetSessionGraphOptimizationLevel", self._options, 0)
        self._call("SetIntraOpNumThreads", self._options, 1)
        for setting in _SETTINGS:
            self._call("AddSessionConfigEntry", self._options, setting.encode(), b"1")

    def session(self, model: Map) -> typing.Any:
        """A session over a model in ORT's format."""
        self._kept.append(model)  # the session reads its weights there
        return self._made("CreateSessionFromArray", self._environment, model.address, model.length, self._options)

    def integers(self, numbers: list[int]) -> Value:
        """An int64 tensor, [1, n]."""
        data = (ctypes.c_int64 * len(numbers))(*numbers)
        return self._tensor(ctypes.addressof(data), 8 * len(numbers), (1, len(numbers)), _INT64, data)

    def floats(self, part: Map, shape: tuple[int, ...]) -> Value:
        """A float32 tensor over a part of a mapped file, without a copy."""
        return self._tensor(part.address, part.length, shape, _FLOAT, part)

    def run(self, session: typing.Any, inputs: dict[str, Value], outputs: list[str]) -> list[Value]:
        """The named outputs."""
        names = (_Text * len(inputs))(*(name.encode() for name in inputs))
        values = (_Pointer * len(inputs))(*(value.handle for value in inputs.values()))
        wanted = (_Text * len(outputs))(*(name.encode() for name in outputs))
        found = (_Pointer * len(outputs))()
        self._call("Run", session, None, names, values, len(inputs), wanted, len(outputs), found)
        return [Value(_Pointer(handle), self._release) for handle in found]

    def numbers(self, value: Value, count: int) -> array.array[float]:
        """The first ``count`` numbers of a float32 tensor."""
        place = self._made("GetTensorMutableData", value.handle)
        found = array.array("f")
        found.frombytes(ctypes.string_at(place.value or 0, 4 * count))
        return found

    def _tensor(self, address: int, length: int, shape: tuple[int, ...], kind: int, keep: typing.Any) -> Value:
        sizes = (ctypes.c_int64 * len(shape))(*shape)
        made = self._made("CreateTensorWithDataAsOrtValue", self._memory, address, length, sizes, len(shape), kind)
        return Value(made, self._release, (keep, sizes))

    def _made(self, name: str, *arguments: typing.Any) -> typing.Any:
        """Call a function that writes its result to the address in its last argument."""
        made = _Pointer()
        self._call(name, *arguments, ctypes.byref(made))
        return made

    def _call(self, name: str, *arguments: typing.Any) -> None:
        if name not in self._functions:
            place, types = _FUNCTIONS[name]
            self._functions[name] = ctypes.CFUNCTYPE(_Pointer, *types)(self._table[place] or 0)
        status = self._functions[name](*arguments)
        if status:
            raise OnnxError(f"{name}: {self._message(status).decode(errors='replace')[:200]}")


def _library() -> str:
    """The shared library inside the package, without importing the package.

    Raises:
        OSError: there is none.
    """
    package = importlib.machinery.PathFinder.find_spec("onnxruntime")
    for folder in (package.submodule_search_locations or ()) if package else ():
        for pattern in _LIBRARIES:
            for path in sorted(glob.glob(os.path.join(glob.escape(folder), "capi", pattern))):
                return path
    raise OSError("onnxruntime has no library with a C interface")
