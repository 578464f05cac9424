import Substrate
import Testing

@Suite("What exactly is signed")
struct SigningPayloadTests {
    @Test(
        "a payload is signed as it is up to 256 bytes and hashed beyond", arguments: [0, 1, 255, 256, 257, 258, 5000])
    func limit(count: Int) {
        let signable = [UInt8](repeating: 0x72, count: count)
        let message = SigningPayload.message(for: signable)
        #expect(message == (count <= 256 ? signable : Blake2b.hash(signable, size: 32)))
    }

    @Test(
        "only a message in its tags may be signed",
        arguments: [
            ("<Bytes>hello</Bytes>", "hello" as String?), ("<Bytes></Bytes>", ""), ("hello", nil),
            ("<Bytes>hello", nil),
            ("hello</Bytes>", nil), ("<bytes>hello</bytes>", nil), ("<Bytes/Bytes>", nil), ("<Bytes>a</Bytes>\n", nil),
        ])
    func tags(message: String, content: String?) {
        let found = WrappedMessage.content(of: Array(message.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(found == content)
    }
}
