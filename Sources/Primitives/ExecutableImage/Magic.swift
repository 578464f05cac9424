/// The first four bytes, which tell what follows.
///
/// Source: Vigil specification, 3.1.
enum Magic {
    case elf
    case machO(MachOForm)
    /// A universal binary, with offsets of this width.
    case fat(ImageClass)

    init(of view: ImageView) throws(ImageFailure) {
        let bytes = try view.bytes(Extent(at: 0, count: 4), orRefuse: .truncatedHeader)
        switch bytes {
        case [0x7f, 0x45, 0x4c, 0x46]: self = .elf
        case [0xca, 0xfe, 0xba, 0xbe]: self = .fat(.bits32)
        case [0xca, 0xfe, 0xba, 0xbf]: self = .fat(.bits64)
        default:
            guard let form = MachOForm(magic: bytes) else { throw view.refusal(.badMagic, at: 0) }
            self = .machO(form)
        }
    }
}

/// The width of a Mach-O header and the order of its numbers.
struct MachOForm: Hashable, Sendable {
    let width: ImageClass
    let order: ByteOrder

    init?(magic: [UInt8]) {
        switch magic {
        case [0xcf, 0xfa, 0xed, 0xfe]: (width, order) = (.bits64, .little)
        case [0xce, 0xfa, 0xed, 0xfe]: (width, order) = (.bits32, .little)
        case [0xfe, 0xed, 0xfa, 0xcf]: (width, order) = (.bits64, .big)
        case [0xfe, 0xed, 0xfa, 0xce]: (width, order) = (.bits32, .big)
        default: return nil
        }
    }

    /// Bytes of the header.
    var headerSize: Int { width == .bits32 ? 28 : 32 }
}
