import ArgumentParser
import Console
import Files
import Foundation
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

    @OptionGroup var pictures: PictureOptions

    /// Bytes of an input file at the most: a payload and, for pictures, what a camera makes of it.
    private static let fileLimit = 64 << 20

    func validate() throws {
        if [hex, file, qr].compactMap({ $0 }).count > 1 {
            throw ValidationError("Give the payload once: --hex, --file, --qr, or on standard input.")
        }
    }

    /// The payload's bytes.
    func read() throws -> [UInt8] {
        if let hex { return try Self.decode(hex: hex) }
        if let qr { return try pictures.payload(fromCodes: qr) }
        if let file {
            return try Self.payload(fromFile: try InputFile.content(of: FilePath(file), limit: Self.fileLimit))
        }
        if isatty(STDIN_FILENO) == 1 {
            FileHandle.standardError.write(
                Data("Waiting for a payload as hex on standard input; end with Ctrl-D.\n".utf8))
        }
        let input = try InputFile(standardInput: ()).content(limit: Self.fileLimit)
        guard !input.isEmpty else { throw Failure.noPayload }
        return try Self.payload(fromFile: input)
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
}
