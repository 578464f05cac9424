#if os(Linux)
    import ForceFieldWorker
    import Glibc
    import PictureWorker
    import QRCode
    import Synchronization
    import ZXingReader

    /// Dies at pictures of some widths, or sees what is not there, as a reader with a defect does; otherwise the
    /// product's.
    struct FragileReader: QRReader {
        /// Pictures that were searched in this process.
        private static let count = Atomic(0)

        func read(_ image: LumaImage) throws(QRReaderError) -> [QRReading] {
            Self.count.add(1, ordering: .relaxed)
            switch image.width {
            case 133: abort()
            case 134: raise(SIGSEGV)
            // Waits, and lets others work.
            case 135: while true { sleep(600) }
            // A system call that is not allowed.
            case 136: setuid(0)
            case 137: exit(3)
            case 138: return [QRReading(bytes: [1], corners: Array(repeating: .init(x: 1 << 40, y: 0), count: 4))]
            case 139: return [QRReading(bytes: [UInt8(Self.count.load(ordering: .relaxed))], corners: [])]
            default: break
            }
            return try FallbackReader(SwiftQRReader(), ZXingReader()).read(image)
        }
    }

    ForceFieldWorker.serve(PictureWorker.service(reader: FragileReader()))
#endif
