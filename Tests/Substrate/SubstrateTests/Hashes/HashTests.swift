import Substrate
import TestSupport
import Testing

@Suite("Hashes")
struct HashTests {
    @Test("BLAKE2b-256 of abc")
    func blake2b() {
        let expected = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
        #expect(Blake2b.hash256(Array("abc".utf8)).hex == expected)
    }

    @Test("BLAKE3 of nothing")
    func blake3() {
        #expect(Blake3.hash([]).hex == "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262")
    }

    @Test("BLAKE3 over many chunks", .enabled(if: SharedData.has("substrate-crypto/hashes.json")))
    func blake3Tree() throws {
        for row in try SharedData.json("substrate-crypto/hashes.json")["blake3"].array {
            let input = (0..<(try #require(row["input_len"].int))).map { UInt8($0 % 251) }
            #expect(Blake3.hash(input).bytes == row["digest"].hex)
        }
    }
}
