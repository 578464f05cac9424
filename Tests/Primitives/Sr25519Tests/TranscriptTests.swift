import TestSupport
import Testing

@testable import Sr25519

@Suite("Keccak, STROBE and Merlin")
struct TranscriptTests {
    @Test("the first lane of the permutation of zeros is the published one")
    func keccakOfZeros() {
        var state = Keccak.State(repeating: 0)
        Keccak.permute(&state)
        #expect(state[0] == 0xf125_8f79_40e1_dde7)
    }

    @Test(
        "Keccak-256 of published messages",
        arguments: [
            ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
            ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        ])
    func keccak256(message: String, digest: String) {
        #expect(Keccak.hash256(Array(message.utf8)) == JSON.string(digest).hex)
    }

    @Test("Keccak-256 around the rate", .enabled(if: SharedData.has("substrate-crypto/hashes.json")))
    func keccak256Shared() throws {
        for row in try SharedData.json("substrate-crypto/hashes.json")["keccak256"].array {
            #expect(try Keccak.hash256(#require(row["msg"].hex)) == row["digest"].hex)
        }
    }

    @Test("merlin's published first challenge")
    func merlin() {
        var transcript = Transcript(label: "test protocol")
        transcript.append(label: "some label", message: "some data")
        let expected = "d5a21972d0d5fe320c0d263fac7fffb8145aa640af6e9bca177c03c7efcf0615"
        #expect(transcript.challenge("challenge", count: 32) == JSON.string(expected).hex)
    }

    @Test("a challenge depends on every message and label")
    func challengesDiffer() {
        var one = Transcript(label: "test protocol")
        var two = one
        var three = one
        one.append(label: "label", message: "some data")
        two.append(label: "label", message: "some dat")
        three.append(label: "labem", message: "some data")
        let challenges = [
            one.challenge("c", count: 32), two.challenge("c", count: 32), three.challenge("c", count: 32),
        ]
        #expect(Set(challenges).count == 3)
    }
}
