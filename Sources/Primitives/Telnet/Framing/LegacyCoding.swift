import StrictJSON
import TextForms
import WebSocketFrames

/// Base64 of a raw DEFLATE stream for each read; text as it is from the client.
struct LegacyCoding {
    private let deflater: RawDeflater
    private var isFirst = true

    init(deflater: RawDeflater) { self.deflater = deflater }

    func encode(_ bytes: [UInt8]) throws(RawDeflateError) -> ClientMessage {
        let stream = try bytes.withUnsafeBufferPointer { (buffer) throws(RawDeflateError) in
            try deflater.compress(UnsafeRawBufferPointer(buffer), ending: .final)
        }
        return ClientMessage(isText: true, bytes: Base64.encodedUTF8(stream))
    }

    /// The first message may ask for a host to connect to; the gate has one already.
    mutating func decode(_ message: [UInt8]) -> ClientRequest {
        defer { isFirst = false }
        if isFirst, let request = try? JSONReader().read(message), request["connect"] != nil { return .nothing }
        return .input(message)
    }
}
