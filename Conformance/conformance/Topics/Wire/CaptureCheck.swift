import Airgap
import KnownAnswers
import Pictures
import QRCode
import TextForms

/// `[{file, content_hex, outcome}]`: photographs of QR codes, and the bytes in them.
enum CaptureCheck: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("file", "content_hex")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        for capture in content.array {
            let path = capture["file"].string ?? "?"
            do {
                let image = try PictureDecoder.decode(file.bytes(of: path))
                let readings = SwiftQRReader().read(image).map(\.bytes)
                report.expect(file.name(path), readings, equals: capture["content_hex"].hex.map { [$0] } ?? [])
                report.expect(file.name("\(path) bytes"), readings.first?.count, equals: capture["bytes"].int)
                guard let bytes = readings.first else { continue }
                let outcome = try outcome(of: bytes, file)
                // A record that a vault gives out, which is no payload, in the words of who captured it.
                let expected = capture["outcome"].string
                report.expect(
                    file.name("\(path) outcome"), outcome,
                    equals: expected == "not a UOS payload" ? "NotSubstrate" : expected ?? "")
            } catch {
                report.fail(file.name(path), because: "\(error)")
            }
        }
    }

    /// What a vault with the usual networks says to what a picture holds, a payload or a frame of one.
    private static func outcome(of bytes: [UInt8], _ file: AnswerFile) throws -> String {
        let reader = TransferReader(numbering: nil)
        let payload: [UInt8] = if case .payload(let payload) = try reader.read(bytes) { payload } else { bytes }
        let vault = try ColdProfile(file: file, profile: "populate_cold").vault()
        return PayloadOutcome(of: PayloadInput(hex: Hex.encode(payload)), in: vault).code
    }
}
