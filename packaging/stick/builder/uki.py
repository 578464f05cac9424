"""One program for the firmware that holds kernel, command line and first files: a unified kernel image.

Sections are added to systemd's stub, which starts the kernel with what they hold. A signature over the file covers all of it.
Source: the Boot Loader Specification, type 2; Microsoft's PE format.
"""
import struct

from report import Refusal

HEADER = 40
READ_ONLY_DATA = 0x40000040


def unified(stub, sections):
    """The stub with further sections.

    - sections: pairs of a name, of eight bytes at the most, and content, in order.
    """
    image = bytearray(stub)
    start, = struct.unpack_from("<I", image, 0x3C)
    count, optional_size = struct.unpack_from("<H", image, start + 6)[0], struct.unpack_from("<H", image, start + 20)[0]
    optional = start + 24
    section_step, file_step = struct.unpack_from("<II", image, optional + 32)
    headers_end, = struct.unpack_from("<I", image, optional + 60)
    table = optional + optional_size
    if table + HEADER * (count + len(sections)) > headers_end:
        raise Refusal("the stub has no room for further sections")
    page = max(section_step, 4096)
    last = [struct.unpack_from("<8sIIII", image, table + HEADER * index) for index in range(count)]
    address = max(row[2] + row[1] for row in last)
    image += bytes(-len(image) % file_step)
    for name, content in sections:
        address += -address % page
        raw = content + bytes(-len(content) % file_step)
        header = struct.pack("<8sIIIIIIHHI", name.encode(), len(content), address, len(raw), len(image), 0, 0, 0, 0, READ_ONLY_DATA)
        place = table + HEADER * count
        image[place:place + HEADER] = header
        image += raw
        address += len(content)
        count += 1
    struct.pack_into("<H", image, start + 6, count)
    # Neither time nor sum: both would tell builders apart. The size that it has in memory.
    struct.pack_into("<I", image, start + 8, 0)
    struct.pack_into("<I", image, optional + 56, address + -address % section_step)
    struct.pack_into("<I", image, optional + 64, 0)
    return bytes(image)


def section(image, name):
    """The content of a section; empty where there is none of the name."""
    start, = struct.unpack_from("<I", image, 0x3C)
    count, optional_size = struct.unpack_from("<H", image, start + 6)[0], struct.unpack_from("<H", image, start + 20)[0]
    for index in range(count):
        row = struct.unpack_from("<8sIIII", image, start + 24 + optional_size + HEADER * index)
        if row[0].rstrip(b"\0") == name.encode():
            return image[row[4]:row[4] + row[1]]
    return b""
