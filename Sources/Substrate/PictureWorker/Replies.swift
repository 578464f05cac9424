import PictureService
import Pictures
import QRCode

extension SeenPicture {
    init(_ picture: LumaImage, readings: [QRReading]) {
        self.init(
            picture,
            codes: readings.map {
                SeenCode(
                    content: $0.bytes, corners: $0.corners.flatMap { [$0.x, $0.y] },
                    symbol: $0.symbol.map {
                        .init(version: $0.version.number, level: $0.level.rawValue, mask: $0.mask)
                    },
                    part: $0.symbol?.structuredAppend.flatMap {
                        $0.count > 1 ? .init(index: $0.index, count: $0.count) : nil
                    })
            })
    }

    private init(_ picture: LumaImage, codes: [SeenCode]) {
        let codes = codes.filter { $0.content.count <= PictureService.contentLimit }
        self.init(width: picture.width, height: picture.height, codes: Array(codes.prefix(PictureService.codeLimit)))
    }
}

extension PictureDamage {
    init(_ error: PictureError) {
        switch error {
        case .unknownFormat: self.init(kind: .unknownFormat)
        case .malformed(let format, let reason, let offset):
            self.init(kind: .malformed, format: format, reason: Self.cut(reason), offset: UInt64(max(0, offset)))
        case .unsupported(let format, let what):
            self.init(kind: .unsupported, format: format, reason: Self.cut(what))
        case .tooLarge: self.init(kind: .tooLarge)
        case .fileTooLarge: self.init(kind: .fileTooLarge)
        }
    }

    /// Cuts a text to fewer bytes than a host takes, whatever the characters.
    private static func cut(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(64)))
    }
}
