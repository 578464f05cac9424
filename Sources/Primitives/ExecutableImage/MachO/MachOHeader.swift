/// The header of a thin Mach-O file, with the first checks.
///
/// Source: Vigil specification, 3.3, checks 1 to 5; `mach-o/loader.h`.
struct MachOHeader {
    static let commandLimit: UInt32 = 1024
    /// Bytes of all load commands.
    static let commandSizeLimit: UInt32 = 1 << 20
    /// Takes the capability bits off a `cpusubtype`.
    static let submachineMask: UInt32 = 0x00ff_ffff
    /// Program, library, loader, bundle.
    private static let fileTypes: Set<UInt32> = [2, 6, 7, 8]

    let form: MachOForm
    let machine: UInt32
    let submachine: UInt32
    let fileType: UInt32
    let commandCount: UInt32
    /// Bytes of the load commands.
    let commandSize: UInt32
    /// The header and the load commands.
    let bytes: [UInt8]

    init(parsing view: ImageView, _ form: MachOForm) throws(ImageFailure) {
        self.form = form
        let size = UInt64(form.headerSize)
        let fields = Fields(try view.bytes(Extent(at: 0, count: size), orRefuse: .truncatedHeader), form.order)
        machine = fields.uint32(4)
        submachine = fields.uint32(8) & Self.submachineMask
        fileType = fields.uint32(12)
        commandCount = fields.uint32(Self.commandCountPosition)
        commandSize = fields.uint32(Self.commandSizePosition)
        guard commandCount <= Self.commandLimit else { throw view.refusal(.tooManyLoadCommands, at: 16) }
        guard commandSize <= Self.commandSizeLimit else { throw view.refusal(.loadCommandsTooLarge, at: 20) }
        bytes = try view.bytes(Extent(at: 0, count: size + UInt64(commandSize)), orRefuse: .truncatedLoadCommands)
        guard Self.fileTypes.contains(fileType) else { throw view.refusal(.unsupportedFileType, at: 12) }
    }

    static let commandCountPosition = 16
    static let commandSizePosition = 20
}
