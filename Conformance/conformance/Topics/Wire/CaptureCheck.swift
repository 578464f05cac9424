import Airgap
import KnownAnswers
import Pictures
import QRCode

/// `[{file, content_hex, outcome}]`: photographs of QR codes, and the bytes in them.
enum CaptureCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool {
        content.has("file", "content_hex")
    }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        for capture in content.array {
            let path = capture["file"].string ?? "?"
            do {
                let image = try PictureDecoder.decode(Array(file.bytes(of: path)))
                let readings = SwiftQRReader().read(image).map(\.bytes)
                report.expect(file.name(path), readings, equals: capture["content_hex"].hex.map { [$0] } ?? [])
                guard capture["outcome"].string == "NotSubstrate", let bytes = readings.first else { continue }
                report.expect(file.name("\(path) payload"), code(bytes), equals: "NotSubstrate")
            } catch {
                report.fail(file.name(path), because: "\(error)")
            }
        }
    }

    private static func code(_ bytes: [UInt8]) -> String {
        do throws(PayloadError) {
            _ = try Payload(bytes)
            return "read"
        } catch {
            return error.code
        }
    }
}
