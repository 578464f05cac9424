import SCALE
import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Transactions with metadata proofs")
struct ProofTransactionDecoderTests {
    private static let hash = try? ProofChain.tree().digest(ProofChain.extraInfo).hash

    @Test("a call reads the same by a proof as by the metadata", arguments: [14, 15, 16] as [UInt8])
    func calls(version: UInt8) throws {
        let tree = try ProofChain.tree(version: version)
        let metadata = TransactionDecoder(
            metadata: try ProofChain.metadata(version: version), network: TestChain.network)
        let extensions = TestChain.extensions(metadataHash: tree.digest(ProofChain.extraInfo).hash)
        for call in ProofCalls.all {
            let proof = try ProofChain.proof(call.bytes, tree)
            let decoded = try ProofChain.decode(proof, call: call.bytes, extensions: extensions)
            let expected = try metadata.readCall(call.bytes)
            #expect(decoded.error == nil, "\(call.name)")
            #expect(decoded.method?.cards.map(\.described) == expected.cards.map(\.described), "\(call.name)")
            #expect(decoded.method?.calls == expected.calls, "\(call.name)")
        }
    }

    @Test("extensions read as the metadata read them, but for the check that the proof stands for")
    func extensions() throws {
        let bytes = TestChain.extensions(metadataHash: Self.hash)
        let decoded = try ProofChain.decode(
            ProofChain.proof(TestChain.transfer), call: TestChain.transfer, extensions: bytes)
        let found = try #require(decoded.extensions)
        let expected = try TransactionDecoder(metadata: ProofChain.metadata(), network: TestChain.network)
            .decodeExtensions(bytes)
        let lines = expected.cards.map(\.line).filter { !$0.hasPrefix("enum_variant_name") && !$0.hasPrefix("bytes") }
        #expect(found.cards.map(\.line) == lines && lines.count == 6)
        #expect(found.era == expected.era && found.blockHash == expected.blockHash && found.tip == expected.tip)
        #expect(found.specVersion == expected.specVersion)
        #expect(found.parts.map(\.identifier) == expected.parts.map(\.identifier))
        let shift = TestChain.transfer.count
        #expect(found.parts.map(\.included) == expected.parts.map { $0.included + shift })
        #expect(found.parts.map(\.additional) == expected.parts.map { $0.additional + shift })
    }

    @Test("the numbers of nonce and tip stand alone, whatever is around them")
    func namedNumbers() throws {
        var model = ProofChain.model
        model.redefine("CheckNonce", .composite([.init("nonce", "Compact<u32>")]))
        model.redefine(
            "ChargeTransactionPayment", .composite([.init("tip", "Compact<u128>", typeName: "BalanceOf<T>")]))
        let (proof, extensions) = try Self.proof(model)
        let decoded = try ProofChain.decode(proof, call: [0, 0, 0], extensions: extensions)
        #expect(decoded.error == nil)
        #expect(
            decoded.extensions?.cards.prefix(3).map(\.line) == [
                "era: Mortal, phase: 27, period: 64", "nonce: 46", "tip: 0 pTST",
            ])
    }

    @Test("an immortal transaction with the genesis as its block is read")
    func immortal() throws {
        let extensions = TestChain.extensions(era: [0], block: TestChain.genesis, metadataHash: Self.hash)
        let tree = try ProofChain.tree()
        let proof = try tree.proof(call: [0, 0, 0], extensions: extensions, extraInfo: ProofChain.extraInfo)
        let decoded = try ProofChain.decode(proof, call: [0, 0, 0], extensions: extensions)
        #expect(decoded.error == nil && decoded.extensions?.era == .immortal)
    }

    @Test(
        "the reference model's proofs show what was proven",
        arguments: [
            (GeneratedProof.remark, ["pallet: System", "  method: remark", "    field_name: remark"]),
            (.transfer, ["pallet: Balances", "  method: transfer_keep_alive", "    field_name: dest"]),
        ])
    func generated(known: GeneratedProof, lines: [String]) throws {
        let decoded = try Self.decode(known)
        #expect(decoded.error == nil)
        #expect(decoded.method?.cards.prefix(3).map(\.line) == lines)
        #expect(
            decoded.extensions?.cards.map { $0.line.prefix { $0 != ":" } } == [
                "era", "nonce", "tip", "network", "tx_version", "block_hash",
            ])
        if known.description == GeneratedProof.transfer.description {
            #expect(decoded.method?.cards.last?.line == "      balance: 10.000000000 mKSM")
        }
    }

    private static func decode(_ known: GeneratedProof) throws -> ProofTransactionDecoder.Decoded {
        let call = try #require(Hex.decode(known.call))
        let extensions = try #require(Hex.decode(known.included + known.signed))
        let genesis = try #require(Hex.decode(known.genesis).flatMap { Hash256($0) })
        var network = TestChain.network
        network.unit = "KSM"
        let decoder = ProofTransactionDecoder(
            proof: try MetadataProof(try #require(Hex.decode(known.proof))), network: network)
        let bytes = call + extensions
        return decoder.decode(
            bytes, call: 0..<call.count, extensions: call.count..<bytes.count, genesis: genesis)
    }

    // MARK: Refusals in their order

    /// What can be wrong with a transaction whose extensions are all there, in the order in which it is told.
    private enum Fault: Int, CaseIterable {
        case checkDisabled, hashMissing, hashMismatch, genesis, immortal, specVersion, call, extensionsLeft, callLeft

        var code: String {
            switch self {
            case .checkDisabled: "MetadataHashDisabled"
            case .hashMissing: "MetadataHashMissing"
            case .hashMismatch: "MetadataHashMismatch"
            case .genesis: "GenesisHashMismatch"
            case .immortal: "ImmortalHashMismatch"
            case .specVersion: "WrongNetworkVersion"
            case .call: "TypeNotInProof"
            case .extensionsLeft: "SomeDataNotUsedExtensions"
            case .callLeft: "SomeDataNotUsedMethod"
            }
        }
    }

    @Test(
        "of all that is wrong the first is told, in the order of the specification", arguments: Fault.allCases.indices)
    func order(first: Int) throws {
        let faults = Fault.allCases[first...]
        let decoded = try decode(having: faults)
        #expect(decoded.error?.code == faults.first?.code)
        #expect((decoded.extensions == nil) == (first < Fault.call.rawValue))
        #expect((decoded.method == nil) == (first <= Fault.call.rawValue))
        let alone = try decode(having: faults.prefix(1))
        #expect(alone.error == decoded.error || alone.error?.code == decoded.error?.code)
    }

    private func decode(having faults: some Sequence<Fault>) throws -> ProofTransactionDecoder.Decoded {
        let faults = Set(faults)
        let hash = try #require(Self.hash)
        let other = [UInt8](repeating: 0x33, count: 32)
        let immortal = faults.contains(.immortal)
        let proof = try ProofChain.proof(TestChain.transfer)
        let signed = faults.contains(.hashMissing) ? nil : faults.contains(.hashMismatch) ? Hash256(other) : hash
        var extensions = TestChain.extensions(
            era: immortal ? [0] : [0xb5, 0x01],
            version: TestChain.specVersion + (faults.contains(.specVersion) ? 1 : 0),
            genesis: faults.contains(.genesis) ? other : TestChain.genesis, metadataHash: signed)
        extensions[immortal ? 3 : 4] = faults.contains(.checkDisabled) ? 0 : 1
        if faults.contains(.extensionsLeft) { extensions.append(0) }
        var call = faults.contains(.call) ? ProofCalls.remark("a") : TestChain.transfer
        if faults.contains(.callLeft) { call.append(0) }
        return try ProofChain.decode(proof, call: call, extensions: extensions)
    }

    @Test(
        "a proof of a chain that lacks one of the facts cannot serve, and the first that lacks is told",
        arguments: [
            ([], [], "NoEra"), (["CheckMortality"], [0xb5, 0x01] + block, "NoGenesisHash"),
            (["CheckMortality", "CheckGenesis"], [0xb5, 0x01] + block + TestChain.genesis, "NoVersionExt"),
            (
                ["CheckMortality", "CheckGenesis", "CheckSpecVersion"],
                [0xb5, 0x01] + block + TestChain.genesis + version, "CheckMetadataHashModeExpected"
            ),
        ] as [([String], [UInt8], String)])
    func missing(kept: [String], extensions: [UInt8], code: String) throws {
        var model = ProofChain.model
        model.extensions = kept.flatMap { name in model.extensions.filter { $0.identifier == name } }
        #expect(try error(model, extensions) == code)
    }

    private static let block = [UInt8](repeating: 0x22, count: 32)
    private static let version: [UInt8] = [0xd2, 4, 0, 0]

    @Test("an era without a block hash is told as such")
    func noBlockHash() throws {
        var model = ProofChain.model
        model.extensions = [(identifier: "Other", type: "CheckMortality", additional: "unit")]
        #expect(try error(model, [0xb5, 0x01]) == "NoBlockHash")
    }

    @Test(
        "a fact that stands twice in what a proof describes is refused",
        arguments: [
            ("CheckSpecVersion", "unit", "u32", [], version, "SpecVersionTwice"),
            ("CheckGenesis", "unit", "H256", [], TestChain.genesis, "GenesisHashTwice"),
            ("Other", "CheckMortality", "unit", [0], [], "EraTwice"),
            ("CheckMortality", "CheckMortality", "H256", [0], block, "EraTwice"),
            ("CheckMetadataHash", "Mode", "Option<hash>", [1], [0], "CheckMetadataHashModeExpected"),
        ] as [(String, String, String, [UInt8], [UInt8], String)])
    func twice(
        identifier: String, type: String, additional: String, included: [UInt8], signed: [UInt8], code: String
    ) throws {
        var model = ProofChain.model
        model.extensions.append((identifier: identifier, type: type, additional: additional))
        let bytes = TestChain.extensions(metadataHash: Self.hash)
        #expect(try error(model, Array(bytes[..<5]) + included + bytes[5...] + signed) == code)
    }

    @Test("each fact that is cut off is told by name")
    func cuts() throws {
        let extensions = TestChain.extensions(metadataHash: Self.hash)
        let proof = try ProofChain.proof([0, 0, 0])
        let expected: [(upTo: Int, code: String)] = [
            (2, "DataTooShort"), (3, "DataTooShort"), (4, "DataTooShort"), (5, "CheckMetadataHashModeExpected"),
            (9, "DataTooShort"), (13, "DataTooShort"), (45, "GenesisHashExpected"), (77, "BlockHashExpected"),
            (110, "MetadataHashExpected"),
        ]
        var end = 0
        for part in expected {
            for cut in end..<part.upTo {
                let decoded = try ProofChain.decode(
                    proof, call: [0, 0, 0], extensions: Array(extensions[..<cut]))
                #expect(decoded.error?.code == part.code, "cut at \(cut)")
                #expect(decoded.extensions == nil && decoded.method == nil)
            }
            end = part.upTo
        }
        #expect(end == extensions.count)
    }

    @Test("a mode that is neither and an option that is none are refused")
    func badModes() throws {
        let proof = try ProofChain.proof([0, 0, 0])
        let extensions = TestChain.extensions(metadataHash: Self.hash)
        for (place, code) in [(4, "CheckMetadataHashModeExpected"), (77, "MetadataHashExpected")] {
            var changed = extensions
            changed[place] = 2
            #expect(try ProofChain.decode(proof, call: [0, 0, 0], extensions: changed).error?.code == code)
        }
    }

    @Test("a proof that does not hang together is refused as one whose hash differs")
    func broken() throws {
        var parts = try ProofParts(ProofChain.proof([0, 0, 0]))
        parts.nodes.append([UInt8](repeating: 0, count: 32))
        let decoded = try ProofChain.decode(
            parts.bytes, call: [0, 0, 0], extensions: TestChain.extensions(metadataHash: Self.hash))
        #expect(decoded.error == .metadataProofBroken(.unconsumedNodes(count: 1)))
        #expect(decoded.error?.code == "MetadataHashMismatch")
    }

    @Test("a type, a variant or half of an option without a leaf is told as not in the proof")
    func notInProof() throws {
        let extensions = TestChain.extensions(metadataHash: Self.hash)
        let cases: [(proven: [UInt8], shown: [UInt8])] = [
            (ProofCalls.remark("a"), TestChain.transfer), (ProofCalls.remark("a"), TestChain.echo("Vec<u32>", [0])),
            (TestChain.echo("Option<bool>", [0]), TestChain.echo("Option<bool>", [1, 1])),
            (TestChain.echo("Option<bool>", [1, 1]), TestChain.echo("Option<bool>", [0])),
            (TestChain.echo("Level", [3]), TestChain.echo("Level", [9])),
        ]
        for item in cases {
            let decoded = try ProofChain.decode(
                ProofChain.proof(item.proven), call: item.shown, extensions: extensions)
            #expect(decoded.error?.code == "TypeNotInProof", "\(item.shown)")
            #expect(decoded.extensions != nil && decoded.method == nil)
        }
    }

    // MARK: Making

    /// The proof of an empty remark on a chain, with the extensions that sign its hash.
    private static func proof(_ model: MetadataModel) throws -> (proof: [UInt8], extensions: [UInt8]) {
        let tree = try ProofChain.tree(model)
        let extensions = TestChain.extensions(metadataHash: tree.digest(ProofChain.extraInfo).hash)
        return (
            try tree.proof(call: [0, 0, 0], extensions: extensions, extraInfo: ProofChain.extraInfo), extensions
        )
    }

    private func error(_ model: MetadataModel, _ extensions: [UInt8]) throws -> String? {
        let proof = try ProofChain.tree(model).proof(
            call: [0, 0, 0], extensions: extensions, extraInfo: ProofChain.extraInfo)
        return try ProofChain.decode(proof, call: [0, 0, 0], extensions: extensions).error?.code
    }
}

extension Card {
    /// The card with the path of its type, without documentation, which proofs leave out.
    fileprivate var described: String {
        switch kind {
        case .fieldName(let field): "\(line) \(field.type.path)"
        case .fieldNumber(let field): "\(line) \(field.type.path)"
        default: line
        }
    }
}

extension Range<Int> {
    fileprivate static func + (range: Range, shift: Int) -> Range {
        range.lowerBound + shift..<range.upperBound + shift
    }
}
