"""What the compiler has written down of a module: which symbol is named in which line of its sources."""
import ctypes
import pathlib
import shutil


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode()


def function(library, name, result, *arguments):
    found = getattr(library, f"indexstore_{name}")
    found.restype, found.argtypes = result, arguments
    return found


def occurrences(index):
    """File, line, USR and name of everything that is named in the sources of a module. The compiler writes one record for each file,
    whose names are unique in a module."""
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    place = pathlib.Path(shutil.which("swiftc")).resolve().parent.parent / "lib/libIndexStore.so"
    library = ctypes.CDLL(place)
    callback = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)
    error = pointer()
    store = function(library, "store_create", pointer, text, ctypes.POINTER(pointer))(str(index).encode(), error)
    if not store:
        raise SystemExit(f"The compiler's index in {index} cannot be read.")
    open_record = function(library, "record_reader_create", pointer, pointer, text, ctypes.POINTER(pointer))
    close_record = function(library, "record_reader_dispose", None, pointer)
    each_occurrence = function(library, "record_reader_occurrences_apply_f", ctypes.c_bool, pointer, pointer, callback)
    symbol_of = function(library, "occurrence_get_symbol", pointer, pointer)
    usr_of = function(library, "symbol_get_usr", Text, pointer)
    name_of = function(library, "symbol_get_name", Text, pointer)
    place_of = function(library, "occurrence_get_line_col", None, pointer, ctypes.POINTER(ctypes.c_uint), ctypes.POINTER(ctypes.c_uint))
    for path in index.glob("v5/records/*/*"):
        record = open_record(store, path.name.encode(), error)
        if not record:
            raise SystemExit(f"The record {path} of the compiler's index cannot be read.")
        found = []

        def take(_, occurrence):
            line, column = ctypes.c_uint(), ctypes.c_uint()
            place_of(occurrence, line, column)
            symbol = symbol_of(occurrence)
            found.append((path.name.rsplit("-", 1)[0], line.value, str(usr_of(symbol)), str(name_of(symbol))))
            return True

        each_occurrence(record, None, callback(take))
        close_record(record)
        yield from found
