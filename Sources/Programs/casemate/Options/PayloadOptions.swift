import Airgap
import AirgapLink
import ArgumentParser
import Console
import Foundation
import MovingCodes
import Pictures
import QRCode
import Substrate
import TextForms

/// Where a payload comes from: exactly one of hex, a file, a picture, or standard input.
struct PayloadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The payload as hex, with or without 0x.", valueName: "hex"))
    var hex: String?

    @Option(
        help: ArgumentHelp("A file that holds the payload, as bytes or as hex text.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The QR code that the wallet shows, still or moving: a picture, a film, a folder of pictures, or a camera like /dev/video0.",
            valueName: "picture"),
        completion: .file())
    var qr: String?

    /// Bytes of an input file at the most: a payload and, for pictures, what a camera makes of it.
    private static let fileLimit = 64 << 20
    /// Bytes of a payload at the most that comes in several codes.
    private static let payloadLimit = 4 << 20

    func validate() throws {
        if [hex, file, qr].compactMap({ $0 }).count > 1 {
            throw ValidationError("Give the payload once: --hex, --file, --qr, or on standard input.")
        }
    }

    /// The payload's bytes.
    func read() throws -> [UInt8] {
        if let hex { return try Self.decode(hex: hex) }
        if let qr { return try Self.payload(fromCodes: qr) }
        if let file { return try Self.payload(fromFile: try Self.contents(of: file)) }
        if isatty(STDIN_FILENO) == 1 {
            FileHandle.standardError.write(
                Data("Waiting for a payload as hex on standard input; end with Ctrl-D.\n".utf8))
        }
        let input = try FileHandle.standardInput.read(upToCount: Self.fileLimit) ?? Data()
        guard !input.isEmpty else { throw Failure.noPayload }
        return try Self.payload(fromFile: Array(input))
    }

    /// A payload starts with the byte 53 hex, which is the letter S; the digit 5 starts a payload written as hex.
    private static func payload(fromFile bytes: [UInt8]) throws -> [UInt8] {
        guard let text = hexText(bytes) else { return bytes }
        return try decode(hex: text)
    }

    private static func hexText(_ bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        return !digits.isEmpty && digits.allSatisfy(\.isHexDigit) ? text : nil
    }

    private static func decode(hex: String) throws -> [UInt8] {
        guard let bytes = Hex.decode(hex) else { throw Failure.notHex }
        return bytes
    }

    private static func contents(of path: String) throws -> [UInt8] {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: path))
            let data = try handle.read(upToCount: fileLimit + 1) ?? Data()
            guard data.count <= fileLimit else { throw Failure.fileTooLarge(path: path, limit: fileLimit) }
            return Array(data)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure.unreadableFile(path: path, reason: error.localizedDescription)
        }
    }

    /// Reads the codes of a picture, a film, a folder or a camera until the payload is whole.
    static func payload(fromCodes path: String) throws -> [UInt8] {
        var input = LinkInput([path])
        var codes = LinkReader()
        let reader = TransferReader(limit: payloadLimit)
        var line = ReceiveLine()
        defer { line.end() }
        var counts = ReceiveLine.Counts(pictures: 0, codes: 0, refused: 0, parts: nil)
        var damage: PictureError?
        while let item = try next(&input, path) {
            switch item {
            case .nothing: break
            case .damaged(_, let error): damage = error
            case .content(let content):
                if case .payload(let payload) = try reader.read(content) { return payload }
            case .picture(let image):
                counts.pictures += 1
                let contents = codes.read(image)
                counts.codes += contents.count
                guard contents.count < 2 else { throw Failure.severalQRCodes(path: path, count: contents.count) }
                for content in contents {
                    if case .payload(let payload) = try reader.read(content) { return payload }
                }
            }
            counts.parts = reader.progress.map { ($0.distinct, $0.needed) }
            line.show(counts)
        }
        if counts.pictures == 0, let damage { throw Failure.picture(path: path, reason: "\(damage)") }
        guard reader.progress != nil else { throw Failure.noQRCode(path: path) }
        return try reader.finish()
    }

    private static func next(_ input: inout LinkInput, _ path: String) throws -> LinkItem? {
        do throws(LinkError) { return try input.next() } catch {
            throw Failure.unreadableCodes(reason: error.description)
        }
    }
}
