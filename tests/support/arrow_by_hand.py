"""A producer of the Arrow C stream interface, written from its specification, that counts what is given back to it."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p

Release = CFUNCTYPE(None, c_void_p)


class ArrowSchema(ctypes.Structure):
    pass


ArrowSchema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_char_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", POINTER(POINTER(ArrowSchema))),
    ("dictionary", POINTER(ArrowSchema)),
    ("release", Release),
    ("private_data", c_void_p),
]


class ArrowArray(ctypes.Structure):
    pass


ArrowArray._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(ArrowArray))),
    ("dictionary", POINTER(ArrowArray)),
    ("release", Release),
    ("private_data", c_void_p),
]


class ArrowArrayStream(ctypes.Structure):
    _fields_ = [
        ("get_schema", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_next", CFUNCTYPE(c_int, c_void_p, c_void_p)),
        ("get_last_error", CFUNCTYPE(c_void_p, c_void_p)),
        ("release", Release),
        ("private_data", c_void_p),
    ]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [c_void_p, c_char_p, c_void_p]


class Producer:
    """A table with `__arrow_c_stream__`.

    `columns` are names with formats, `(index format, format)` for a dictionary; `batches` are (rows, columns), each
    column a dict of buffers, and of length, offset, null_count and dictionary where they are not the plainest. With
    `fails` the schema, or the batch of that number, is an error.
    """

    def __init__(self, columns, batches, *, root="+s", fails=None, message=b"the disk is gone"):
        self.columns, self.batches, self.root, self.fails = columns, batches, root, fails
        self.given = {"schema": 0, "array": 0, "stream": 0}
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.kept = []  # whatever has to live as long as the producer
        self.message = self.keep(ctypes.create_string_buffer(message))
        self.next = 0

    def keep(self, thing):
        self.kept.append(thing)
        return thing

    def release(self, what, structure):
        def released(address):
            assert structure.from_address(address).release, "released twice"
            structure.from_address(address).release = Release()
            self.released[what] += 1

        return self.keep(Release(released))

    def pointers(self, kind, things):
        return self.keep((POINTER(kind) * len(things))(*(ctypes.pointer(self.keep(thing)) for thing in things)))

    def schema(self, format, name=b"", dictionary=None, children=(), release=None):
        made = ArrowSchema(format=format.encode(), name=name, n_children=len(children))
        made.release = release or self.release("child", ArrowSchema)
        if children:
            made.children = self.pointers(ArrowSchema, children)
        if dictionary is not None:
            made.dictionary = ctypes.pointer(self.keep(dictionary))
        return made

    def array(self, length, buffers=(), offset=0, null_count=0, dictionary=None, children=(), release=None):
        made = ArrowArray(length=length, null_count=null_count, offset=offset, n_buffers=len(buffers))
        made.release = release or self.release("child", ArrowArray)
        held = [
            None if data is None else self.keep(ctypes.create_string_buffer(data, len(data) or 1)) for data in buffers
        ]
        made.buffers = self.keep((c_void_p * max(len(held), 1))(*(data and ctypes.addressof(data) for data in held)))
        made.n_children = len(children)
        if children:
            made.children = self.pointers(ArrowArray, children)
        if dictionary is not None:
            made.dictionary = ctypes.pointer(self.keep(self.array(**dictionary)))
        return made

    def get_schema(self, _, out):
        if self.fails == "schema":
            return 5
        children = []
        for name, kind in self.columns:
            of = self.schema(kind[1]) if isinstance(kind, tuple) else None
            children.append(self.schema(kind[0] if of else kind, name.encode(), of))
        made = self.schema(self.root, children=children, release=self.release("schema", ArrowSchema))
        self.given["schema"] += 1
        ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(made))
        return 0

    def get_next(self, _, out):
        if self.fails == self.next:
            return 5
        made = ArrowArray()
        if self.next < len(self.batches):
            rows, columns = self.batches[self.next]
            rows = rows if isinstance(rows, dict) else {"length": rows, "buffers": [None]}
            children = [self.array(**{"length": rows["length"], **column}) for column in columns]
            made = self.array(**rows, children=children, release=self.release("array", ArrowArray))
            self.given["array"] += 1
        self.next += 1
        ctypes.memmove(out, ctypes.byref(made), ctypes.sizeof(made))
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        kinds = dict(ArrowArrayStream._fields_)
        stream = self.keep(ArrowArrayStream())
        stream.get_schema = self.keep(kinds["get_schema"](self.get_schema))
        stream.get_next = self.keep(kinds["get_next"](self.get_next))
        stream.get_last_error = self.keep(kinds["get_last_error"](lambda _: ctypes.addressof(self.message)))
        stream.release = self.release("stream", ArrowArrayStream)
        self.given["stream"] += 1
        return new_capsule(ctypes.addressof(stream), b"arrow_array_stream", None)
