import AppAttestKnownAnswers
import ForceFieldKnownAnswers
import Foundation
import KnownAnswers
import MainKeyKnownAnswers
import QRCode
import SignerKnownAnswers
import TestSupport
import Testing
import VigilKnownAnswers

/// "A known-answer runner fails on what it does not know": each topic, with each kind of thing that no check knows.
@Suite("A topic with something that no check knows")
struct ForeignThingsTests {
    /// A file of a topic that passes by itself, and a value in it that is one of few.
    struct Sample: CustomTestStringConvertible, Sendable {
        let runner: Runner
        let path: String
        let content: Data
        var choice: (known: String, unknown: String)?

        var testDescription: String { "\(runner.name) \(choice?.known ?? path)" }
    }

    private static func fixture(_ path: String) throws -> Data {
        try Data(contentsOf: packageRoot.appending(path: "Tests/\(path)"))
    }

    /// One file for each topic, made here or beside the tests of its room.
    static let samples: [Sample] = {
        func made(_ name: String, _ text: String, _ choice: (String, String)? = nil) -> Sample {
            Sample(runner: Runner(name: name), path: "list.json", content: Data(text.utf8), choice: choice)
        }
        func fixed(_ topic: any Topic.Type, _ path: String, _ choice: (String, String)? = nil) -> Sample {
            Sample(
                runner: Runner(name: topic.name, topic: topic), path: "list.json",
                content: (try? fixture(path)) ?? Data(), choice: choice)
        }
        let digest = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"
        return [
            made(
                "crypto",
                #"""
                {"keccak256": [{"msg": "", "digest": "\#(digest)"}, {"msg": "0x", "digest": "\#(digest)"}],
                "messages": [{"message": "3c42797465733e3c2f42797465733e", "expect": "signable"}]}
                """#, (#""signable""#, #""maybe""#)),
            made(
                "wire",
                #"""
                [{"hex": "00", "kind": "immortal"}, {"hex": "f502", "kind": "mortal", "phase": "47", "period": "64"}]
                """#, (#""immortal""#, #""eternal""#)),
            made(
                "frames",
                #"""
                {"sequences": [{"name": "plain", "frames": ["533412"], "expect": {"payload": "533412"}},
                {"name": "beyond", "frames": ["0000020002aa"], "expect": {"error": "LengthExceeded"}}]}
                """#, (#""LengthExceeded""#, #""Lost""#)),
            Sample(runner: Runner(name: "qr"), path: "list.json", content: symbol, choice: (#""byte""#, #""kanji""#)),
            Sample(
                runner: Runner(name: "raptorq"), path: "list.json",
                content: (try? fixture("Primitives/RaptorQTests/Fixtures/function-vectors.json")) ?? Data()),
            fixed(
                MainKeyTopic.self, "Trust/MainKeyTests/Fixtures/recovery.json", (#""discardNew""#, #""keepBoth""#)),
            fixed(MainKeyTopic.self, "Trust/MainKeyTests/Fixtures/autolock.json", (#""idle""#, #""asleep""#)),
            fixed(
                VigilTopic.self, "Primitives/ExecutableImageTests/Fixtures/fsverity-vectors.json",
                (#""sha256""#, #""md5""#)),
            fixed(ForceFieldTopic.self, "Trust/ForceFieldTests/Fixtures/frame_vectors.json", (#""w>h""#, #""w<h""#)),
            fixed(ForceFieldTopic.self, "Trust/ForceFieldTests/Fixtures/codec_vectors.json", (#""uint""#, #""word""#)),
            fixed(
                AppAttestTopic.self, "Trust/AppAttestTests/Fixtures/negative/assertions-minted.json",
                (#""signature_invalid""#, #""unhappy""#)),
            fixed(
                ProductTopic.self, "Signer/NetworkDetectorTests/Fixtures/detector.json", (#""down""#, #""sideways""#)),
            fixed(
                ProductTopic.self, "Signer/NavigatorTests/Fixtures/transitions.json",
                (#""NavbarLog""#, #""NavbarNowhere""#)),
        ]
    }()

    /// A symbol that this build makes: what is tried here is what lies beside it.
    private static let symbol: Data = {
        let symbol = try? QRSymbol.encode(.bytes([0x53]), level: .low, boost: false, mask: 0, versions: 1...1)
        var bytes = [UInt8](repeating: 0, count: (21 * 21 + 7) / 8)
        for place in 0..<21 * 21 where symbol?[place % 21, place / 21] ?? false {
            bytes[place / 8] |= 0x80 >> UInt8(place % 8)
        }
        let row = #"""
            [{"mode": "byte", "data_hex": "53", "forced_mask": 0, "version": 1, "ecc": "L", "mask": 0, "size": 21,
            "modules_b64": "\#(Data(bytes).base64EncodedString())"}]
            """#
        return Data(row.utf8)
    }()

    /// What is said of a folder with one file; nil where its topic needs a program that is not there.
    private func failures(
        _ runner: Runner, _ path: String, _ content: Data, after change: (TemporaryFolder) throws -> Void = { _ in }
    ) throws -> [String]? {
        let sample = try TemporaryFolder(files: [path: content])
        try change(sample)
        return try runner.failures(in: sample.url)
    }

    @Test("passes without it", arguments: samples)
    func passes(sample: Sample) throws {
        guard let failures = try failures(sample.runner, sample.path, sample.content) else { return }
        #expect(failures == [])
    }

    @Test("fails, and names it", arguments: samples, ForeignThing.allCases)
    func fails(sample: Sample, thing: ForeignThing) throws {
        try expect(thing, named: sample.runner, sample.path, sample.content)
    }

    private func expect(_ thing: ForeignThing, named runner: Runner, _ path: String, _ content: Data) throws {
        var name: String?
        let failures = try failures(runner, path, content) { name = try thing.add(to: $0, at: path, content) }
        guard let name, let failures else { return }
        #expect(failures.contains { $0.contains(name) }, "\(runner.name): \(failures)")
    }

    @Test("fails on a value that is none of those it knows", arguments: samples.filter { $0.choice != nil })
    func failsOnChoice(sample: Sample) throws {
        let (known, unknown) = try #require(sample.choice)
        let text = String(decoding: sample.content, as: UTF8.self)
        try #require(text.contains(known))
        let changed = Data(text.replacing(known, with: unknown).utf8)
        guard let failures = try failures(sample.runner, sample.path, changed) else { return }
        #expect(!failures.isEmpty)
    }

    // MARK: Published files

    /// Small published files, of each topic.
    static let published: [(topic: Runner, path: String)] =
        [
            ("crypto", "substrate-crypto/ss58.json"), ("crypto", "substrate-crypto/merlin.json"),
            ("wire", "signer-wire/scale/compact.json"), ("wire", "signer-wire/networks/networks.json"),
            ("wire", "signer-wire/networks/keys.json"), ("qr", "raptorq-qr/qr/qr-tables.json"),
            ("raptorq", "raptorq-qr/rfc6330/rand-and-degree.json"),
            ("frames", "raptorq-qr/vault-frames/reader-cases.json"), ("frames", "signer-wire/frames/frames.json"),
        ].map { (Runner(name: $0), $1) }
        + ([
            (MainKeyTopic.self, "mainkey/attempts.json"), (MainKeyTopic.self, "mainkey/sealed.json"),
            (MainKeyTopic.self, "mainkey/wycheproof/hkdf_sha256_test.json"),
            (VigilTopic.self, "vigil/protocol-vectors.json"),
            (VigilTopic.self, "vigil/softkey-vectors.json"), (ForceFieldTopic.self, "forcefield/hash_vectors.json"),
            (AppAttestTopic.self, "appattest-gate/vectors/assertions.json"),
            (AppAttestTopic.self, "appattest-gate/vectors/receipts.json"),
            (ProductTopic.self, "signer-product/history.json"), (ProductTopic.self, "signer-product/database.json"),
            (ProductTopic.self, "signer-product/keys.json"),
        ] as [(any Topic.Type, String)]).map { (Runner(name: $0.name, topic: $0), $1) }

    @Test(
        "fails with a published file too", .enabled(if: SharedData.has("substrate-crypto/ss58.json")),
        arguments: published.indices, ForeignThing.allCases)
    func failsPublished(index: Int, thing: ForeignThing) throws {
        let (runner, path) = Self.published[index]
        try expect(thing, named: runner, "list.json", try Data(contentsOf: SharedData.url(path)))
    }

    // MARK: The way around

    /// Files of the runners that touch files for another reason than to read answers.
    private static let others: Set<String> = [
        // The folder itself.
        "AnswerFolder.swift", "AnswerFile.swift",
        // The argument of the program, and the simulator of a TPM.
        "Conformance.swift", "SoftwareTPM.swift",
        // What they write themselves: a decrypted file, the files of TLS.
        "FileAnswers.swift", "HTTPTable.swift", "HTTPScene+Requests.swift",
        // Programs and processes of this machine.
        "LiveWorkers.swift", "LiveEnding.swift",
    ]

    @Test("nothing in the runners reads a file but through its folder")
    func reads() throws {
        let root = packageRoot.appending(path: "Conformance")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { $0.hasSuffix(".swift") }
        #expect(paths.count > 100)
        for path in paths where !Self.others.contains(URL(filePath: path).lastPathComponent) {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            for way in [
                "contentsOf", "FileManager", "FileHandle", "fopen", "SmallFile", "URL(filePath", "FileDescriptor",
            ] {
                #expect(!text.contains(way), "\(path) has \(way)")
            }
        }
    }
}
