import Airgap
import SecretMemory
import Substrate
import Testing

@testable import Signer

@Suite("Imports of paths")
struct ImportPathsTests {
    private static func payload(_ paths: [String], in network: NetworkSpecs) -> [UInt8] {
        PathImport(network: network.key, paths: paths).payload
    }

    @Test("all keys are made below the seed that is named, in one entry; those that are there stay")
    func takesAll() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        _ = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: westend)
        let paths = ["//Alice", "//Alice/westend", "//Alice/secret//secret", "//0", "//1"]
        let proposal = try vault.propose(Self.payload(paths, in: westend))
        guard case .importPaths(let preview) = proposal.answer.action else { throw SignerError.nothingPending }
        #expect(preview.paths == paths && preview.network == westend)
        #expect(throws: SignerError.seedNotFound(name: "nobody")) {
            try vault.importPaths(proposal, belowSeed: "nobody")
        }
        let entries = try vault.log().count
        #expect(try vault.importPaths(proposal, belowSeed: "demo").map(\.details.path) == paths)
        #expect(Set(paths).isSubset(of: try vault.keys().map(\.details.path)))
        #expect(try vault.log().count == entries + 1)
        #expect(try vault.log().last?.entry.events.count == 4)
        #expect(throws: SignerError.nothingPending) { try vault.importPaths(proposal, belowSeed: "demo") }
    }

    @Test("a network that is not here, a malformed path and a password refuse all of it by name")
    func refusals() throws {
        let vault = try TestVault().withSeed()
        let westend = try vault.network(named: "westend")
        var edwards = westend
        edwards.scheme = .ed25519
        #expect(throws: RefusedPayload.networkForImport(genesis: westend.genesisHash, scheme: .ed25519)) {
            try vault.propose(Self.payload(["//a"], in: edwards))
        }
        let refused = #expect(throws: RefusedPayload.importPasswordNotAllowed(index: 1, path: "//b")) {
            try vault.propose(Self.payload(["//a", "//b///hunter2"], in: westend))
        }
        #expect(refused.map { "\($0)".contains("hunter2") } == false)
        for path in ["a", "//a//", "//a///"] {
            let code = #expect(throws: RefusedPayload.self) {
                try vault.propose(Self.payload(["//ok", path], in: westend))
            }?.code
            #expect(code == "InvalidDerivation", "\(path)")
        }
        #expect(try vault.pendingPayload() == nil)
    }

    @Test("a payload that is cut is malformed, whichever of the two forms it has")
    func cut() throws {
        let vault = try TestVault().withSeed()
        let payload = Self.payload(["//a", "//b"], in: try vault.network(named: "westend"))
        for count in 4..<payload.count {
            #expect(throws: PayloadError.self) { try Payload(Array(payload[..<count])) }
        }
        #expect(throws: PayloadError.self) { try Payload(payload + [0]) }
    }
}
