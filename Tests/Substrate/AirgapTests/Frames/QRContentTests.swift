import Airgap
import Testing

@Suite("The content of one QR symbol")
struct QRContentTests {
    @Test("bytes that start a payload are the payload")
    func payload() throws {
        #expect(try QRContent([0x53, 0x01, 0x02]).wholePayload() == [0x53, 0x01, 0x02])
    }

    @Test("the single legacy frame that polkadot-js sends gives its data")
    func singleLegacyFrame() throws {
        #expect(try QRContent([0, 0, 1, 0, 0, 0x53, 0x01]).wholePayload() == [0x53, 0x01])
    }

    @Test("one frame of several is refused by number")
    func oneOfSeveral() {
        #expect(throws: QRContentError.oneOfSeveral(count: 3)) {
            try QRContent([0, 0, 3, 0, 1, 0x53]).wholePayload()
        }
    }

    @Test("a frame number beyond the count is refused", arguments: [[0, 0, 1, 0, 1], [0, 0, 0, 0, 0]] as [[UInt8]])
    func lengthExceeded(bytes: [UInt8]) {
        #expect(throws: QRContentError.self) { try QRContent(bytes).wholePayload() }
    }

    @Test("a fountain frame names the size of its payload")
    func fountain() {
        let frame: [UInt8] = [0x80, 0, 0x10, 0, 0, 0, 0, 0, 0xff]
        #expect(throws: QRContentError.fountain(payloadSize: 4096)) { try QRContent(frame).wholePayload() }
    }

    @Test(
        "short bytes are taken as a payload, whatever they start with", arguments: [[], [0], [0xff, 1]] as [[UInt8]])
    func short(bytes: [UInt8]) throws {
        #expect(try QRContent(bytes).wholePayload() == bytes)
    }
}
