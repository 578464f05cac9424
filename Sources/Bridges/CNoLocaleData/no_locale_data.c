#include "no_locale_data.h"

#ifdef __linux__

#include <stdint.h>

// Foundation brings ICU, and ICU 34 MB of data: names, calendars, sort orders and formats of all languages. Programs that ask for none of
// it have the empty package of data in its place that ICU itself is bootstrapped with (its "stubdata"): a header, and a table of contents
// without entries. Whatever asks ICU for data is told that it is not there (U_MISSING_RESOURCE_ERROR, U_FILE_ACCESS_ERROR).
//
// The name has the version of the ICU that comes with Swift. With a Swift whose ICU is another one the data come along, and programs do
// not link until its name stands here (packaging/constants.ld).
//
// Source: the form of ICU's common data, `UDataInfo` and `DataHeader` (unicode/udata.h, ucmndata.h), with a table of contents "ToCP".

typedef struct {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size, reserved;
    uint8_t is_big_endian, charset_family, unit_size, reserved_byte;
    uint8_t data_format[4], format_version[4], data_version[4];
    uint8_t padding[8];
    uint32_t entry_count, end;
} empty_data;

_Static_assert(sizeof(empty_data) == 40, "the table of contents follows a header of 32 bytes");

// Hidden: where Foundation is a library of its own, that keeps its data. Retained: where nothing asks for it, the linker still knows of it.
__attribute__((visibility("hidden"), used, retain, aligned(16))) const empty_data icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .unit_size = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};

#define ALSO(name) extern const empty_data name __attribute__((visibility("hidden"), alias("icudt76_dat")))

// Of Swift 6.2.
ALSO(icudt74_dat);
// By this the linker knows what to look for.
ALSO(no_locale_data);

#endif
