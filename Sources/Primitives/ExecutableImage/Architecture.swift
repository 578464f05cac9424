/// Names of architectures.
///
/// Source: Vigil specification, 3.2; `mach/machine.h`; ELF's register of machines.
enum Architecture {
    static func machO(type: UInt32, subtype: UInt32) -> String {
        switch (type, subtype) {
        case (7, _): "i386"
        case (0x0100_0007, 8): "x86_64h"
        case (0x0100_0007, _): "x86_64"
        case (12, _): "arm"
        case (0x0100_000c, 2): "arm64e"
        case (0x0100_000c, _): "arm64"
        case (0x0200_000c, _): "arm64_32"
        case (18, _): "ppc"
        case (0x0100_0012, _): "ppc64"
        default: "cpu\(type)"
        }
    }

    static func elf(machine: UInt32, class: ImageClass, order: ByteOrder) -> String {
        switch (machine, `class`) {
        case (3, _): "i386"
        case (8, _): order == .big ? "mips" : "mipsel"
        case (20, _): "ppc"
        case (21, _): order == .big ? "ppc64" : "ppc64le"
        case (22, .bits64): "s390x"
        case (22, .bits32): "s390"
        case (40, _): "arm"
        case (62, _): "x86_64"
        case (183, _): "aarch64"
        case (243, .bits64): "riscv64"
        case (243, .bits32): "riscv32"
        case (258, _): "loongarch64"
        default: "machine\(machine)"
        }
    }
}
