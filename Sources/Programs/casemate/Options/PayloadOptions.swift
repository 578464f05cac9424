import Airgap
import AirgapLink
import ArgumentParser
import BasicFoundation
import Console
import Files

/// Where a payload comes from: exactly one of hex, a file, a picture, or standard input.
struct PayloadOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The payload as hex, with or without 0x.", valueName: "hex"))
    var hex: String?

    @Option(
        help: ArgumentHelp(
            "A file that holds the payload, as bytes or as hex text; - is standard input.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp(
            "The QR code that the wallet shows, still or moving: a picture, a film, a folder of pictures, or a camera like /dev/video0.",
            valueName: "picture"),
        completion: .file())
    var qr: String?

    @OptionGroup var pictures: PictureOptions

    func validate() throws {
        if [hex, file, qr].compactMap({ $0 }).count > 1 {
            throw ValidationError("Give the payload once: --hex, --file, --qr, or on standard input.")
        }
    }

    /// The payload's bytes.
    func read() throws -> [UInt8] {
        if let hex { return try Self.known(PayloadText.bytes(ofHex: hex)) }
        if let qr { return try pictures.payload(fromCodes: qr) }
        if let file, file != "-" { return try Self.known(PayloadFile.payload(at: file, allowsPipes: true)) }
        if isatty(STDIN_FILENO) == 1 {
            StandardError.write("Waiting for a payload as hex on standard input; end with Ctrl-D.\n")
        }
        let input = try InputFile(standardInput: ()).content(limit: PayloadFile.limit)
        guard !input.isEmpty else { throw Failure.noPayload }
        return try Self.known(PayloadText.bytes(ofContent: input))
    }

    private static func known(_ payload: [UInt8]?) throws -> [UInt8] {
        guard let payload else { throw Failure.notHex }
        return payload
    }
}
