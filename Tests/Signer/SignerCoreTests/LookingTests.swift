import Airgap
import Navigator
import Signer
import Substrate
import Testing
import TextForms

@testable import SignerCore

/// What is looked at: all of a log, its earlier digests, files of metadata.
@Suite("Looking at a log and at files")
struct LookingTests {
    // MARK: The log

    private func log(_ page: ActionResult) throws -> LogData {
        guard case .log(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    /// A core whose log has so many entries, and what it was when it had a third of them.
    private func filled(_ count: Int) throws -> (test: TestCore, earlier: Vault.LogVerdict) {
        let test = try TestCore()
        try test.act(.start)
        let vault = try #require(try test.host.openVault())
        while try vault.logCount() < count / 3 { try vault.addComment("early") }
        let earlier = try vault.verifyLog()
        while try vault.logCount() < count { try vault.addComment("late") }
        return (test, earlier)
    }

    @Test("all of a long log is shown by and by, each entry once, and back")
    func pages() throws {
        let (test, _) = try filled(63)
        var data = try log(test.act(.navbarLog))
        var seen = data.entries.map(\.order)
        #expect((data.count, data.newer, data.older) == (63, 0, 43))
        while data.older > 0 {
            data = try log(test.act(.nextUnit))
            seen += data.entries.map(\.order)
        }
        #expect(seen == Array((0..<63).reversed()))
        #expect(data.entries.count == 3 && data.newer == 60)
        // Beyond the oldest there is nothing, and nothing moves.
        #expect(try log(test.act(.nextUnit)).entries.map(\.order) == data.entries.map(\.order))
        for newer in [40, 20, 0, 0] { #expect(try log(test.act(.previousUnit)).newer == newer) }
    }

    @Test("an entry that is gone to and left again leaves the place in the log, and a note goes to its end")
    func place() throws {
        let (test, _) = try filled(50)
        try test.act(.navbarLog)
        #expect(try log(test.act(.nextUnit)).newer == 20)
        try test.act(.showLogDetails, "7")
        #expect(try log(test.act(.goBack)).newer == 20)
        // What is written meanwhile does not move what is shown.
        try test.host.openVault()?.addComment("meanwhile")
        let data = try log(test.act(.nothing))
        #expect(data.newer == 21 && data.entries.first?.order == 29)
        try test.act(.rightButtonAction)
        try test.act(.createLogComment)
        #expect(try log(test.act(.goForward, "now")).newer == 0)
        try test.act(.nextUnit)
        try test.act(.navbarSettings)
        #expect(try log(test.act(.navbarLog)).newer == 0)
    }

    @Test("a log that had a digest says where, and what it never had is refused with nothing kept")
    func comparison() throws {
        let (test, earlier) = try filled(30)
        try test.act(.navbarLog)
        guard case .logRight(let whole)? = try test.act(.rightButtonAction).modal else { throw CoreError.notPending }
        #expect(whole.compared == nil && whole.count == 30)
        let digest = Hex.encode(earlier.digest)
        guard case .logRight(let data)? = try test.act(.compareLog, " \(digest)\n").modal else {
            throw CoreError.notPending
        }
        #expect(data.compared?.containsAt == 10 && data.compared?.earlier == digest)
        #expect(try test.act(.compareLog, String(repeating: "ab", count: 32)).errorCode == "LogDiffers")
        guard case .logRight(let after)? = try test.act(.goBack).modal else { throw CoreError.notPending }
        #expect(after.compared == nil)
        for text in ["", "ab", digest + "00", digest + " " + digest] {
            #expect(try test.act(.compareLog, text).errorCode == "DigestMalformed")
            try test.act(.goBack)
        }
    }

    // MARK: Metadata

    private func files(_ page: ActionResult) throws -> MetadataFilesData {
        guard case .metadataFiles(let data) = page.screen else { throw CoreError.notPending }
        return data
    }

    private func opened() throws -> (test: TestCore, blob: [UInt8]) {
        let test = try TestCore(hasMetadata: true)
        let blob = try #require(
            try NetworkBundle.shipped().networks.first { $0.specs.name == "westend" }?.metadata.first)
        try test.act(.start)
        try test.act(.navbarSettings)
        try test.act(.manageNetworks)
        try test.act(.openMetadataFiles)
        return (test, blob)
    }

    @Test("metadata say what they are of, and amount to the hash that the library computes for the network's token")
    func metadata() throws {
        let (test, blob) = try opened()
        let before = try test.host.openVault()?.contentDigest()
        let data = try files(test.act(.metadataFetched, Hex.encode(blob)))
        #expect(
            data.metadata?.name == "westend" && data.metadata?.version == 9122 && data.metadata?.formatVersion == 14)
        #expect(data.metadata?.hash == Hex.encode(Blake2b.hash(blob, size: 32)))
        let runtime = try RuntimeMetadata(blob)
        let info = MetadataExtraInfo(
            specVersion: 9122, specName: "westend", base58Prefix: 42, decimals: 12, tokenSymbol: "WND")
        #expect(data.hash?.hash == (try MerkleizedMetadata(runtime).digest(info).hash.hex))
        let other = try files(test.act(.goForward, #"{"decimals":"10","unit":"DOT","prefix":"0"}"#))
        #expect(other.hash?.extraInfo.unit == "DOT" && other.hash?.hash != data.hash?.hash)
        #expect(other.hash?.typesTreeRoot == data.hash?.typesTreeRoot)
        for text in ["", "{}{", #"{"decimals":"256"}"#, #"{"prefix":"-1"}"#] {
            #expect(try test.act(.goForward, text).errorCode == "TokenUnknown")
            // What was there stays.
            #expect(try files(test.act(.goBack)).hash?.hash == other.hash?.hash)
        }
        // Nothing of a file is taken in.
        #expect(try test.host.openVault()?.contentDigest() == before)
        try test.act(.goBack)
        #expect(try files(test.act(.openMetadataFiles)).metadata == nil)
    }

    @Test("a proof that is made of metadata is verified, alone and in its payload, and another chain's is refused")
    func proof() throws {
        let (test, blob) = try opened()
        try test.act(.metadataFetched, Hex.encode(blob))
        guard case .madeFile(let made)? = try test.act(.transactionFetched, FlowStart.dangerousTransaction).modal,
            case .proof(let facts) = made.kind
        else { throw CoreError.notPending }
        try test.act(.goBack)
        let payload = try #require(made.payload)
        for content in [made.content, payload] {
            let data = try files(test.act(.proofFetched, Hex.encode(content)))
            #expect(data.proof?.hash == facts.hash && data.proof?.compared == true)
            #expect(data.proof?.comparedGiven == false)
        }
        // Metadata of anybody's say less than a hash that somebody trusts.
        let foreign = String(repeating: "0", count: 64)
        #expect(try test.act(.compareHash, foreign).errorCode == "MetadataHashDiffers")
        let refuted = try files(test.act(.goBack)).proof
        #expect(refuted?.compared == false && refuted?.differs == foreign && refuted?.hash == facts.hash)
        var mauled = made.content
        mauled[mauled.count / 2] ^= 1
        let refused = try test.act(.proofFetched, Hex.encode(mauled))
        #expect(["ProofRefused", "MetadataHashDiffers"].contains(refused.errorCode))
        try test.act(.goBack)
        try test.act(.goBack)
        try test.act(.openMetadataFiles)
        let alone = try files(test.act(.proofFetched, Hex.encode(made.content)))
        #expect(alone.proof?.compared == false)
        #expect(try test.act(.compareHash, String(repeating: "0", count: 64)).errorCode == "MetadataHashDiffers")
        #expect(try files(test.act(.goBack)).proof?.compared == false)
        #expect(try test.act(.compareHash, "xyz").errorCode == "DigestMalformed")
        try test.act(.goBack)
        let given = try files(test.act(.compareHash, "0x" + facts.hash)).proof
        #expect(given?.compared == true && given?.comparedGiven == true && given?.differs == nil)
        // A signer that scans it has the proof in the payload.
        guard case .transaction(let transaction) = try Payload(payload) else { throw CoreError.notPending }
        #expect(transaction.proof.map { Array(transaction.bytes[$0.range]) } == made.content)
    }

    /// Types hang together with any token: what a proof says of its own is no answer to whether it is true.
    @Test("a proof with another token is no proof of the chain, and with a token that nobody knows one of types alone")
    func proofOfAnotherToken() throws {
        let (test, blob) = try opened()
        let runtime = try RuntimeMetadata(blob)
        let tree = try MerkleizedMetadata(runtime)
        guard case .transaction(let transaction) = try Payload(Hex.decode(FlowStart.dangerousTransaction) ?? []),
            let parts = transaction.parts()
        else { throw CoreError.notPending }
        func proof(decimals: UInt8 = 12, unit: String = "WND", version: UInt32? = nil) throws -> [UInt8] {
            let info = MetadataExtraInfo(
                specVersion: version ?? runtime.specVersion, specName: runtime.specName, base58Prefix: 42,
                decimals: decimals, tokenSymbol: unit)
            return try tree.proof(
                call: Array(transaction.bytes[parts.call]), extensions: Array(transaction.bytes[parts.extensions]),
                extraInfo: info)
        }
        try test.act(.metadataFetched, Hex.encode(blob))
        #expect(try files(test.act(.proofFetched, Hex.encode(proof()))).proof?.compared == true)
        for other in [try proof(decimals: 2), try proof(unit: "DOT"), try proof(version: 1)] {
            #expect(try test.act(.proofFetched, Hex.encode(other)).errorCode == "MetadataHashDiffers")
            try test.act(.goBack)
            // Without a network of that name.
            var alone = try CheckedProof(in: other)
            let isOfThisVersion = alone.extraInfo.specVersion == runtime.specVersion
            do throws(CheckedProof.Difference) {
                try alone.compare(with: runtime, tree, knowing: nil)
                #expect(isOfThisVersion && alone.comparedTypes && !alone.compared)
            } catch { #expect(!isOfThisVersion && !alone.comparedTypes) }
        }
    }

    @Test("what is no metadata, no proof and no transaction is refused, and nothing is open then")
    func refusals() throws {
        let (test, blob) = try opened()
        for (action, data, code) in [
            (UserAction.metadataFetched, "", "NotHex"), (.metadataFetched, "5", "NotHex"),
            (.metadataFetched, "6d657461", "MetadataFile"), (.proofFetched, "00", "ProofRefused"),
            (.proofFetched, "zz", "NotHex"), (.transactionFetched, "5301", "NoMetadataFile"),
            (.makeLean, "", "NoMetadataFile"), (.goForward, "{}", "NoMetadataFile"),
            (.compareHash, "", "NothingPending"),
        ] {
            #expect(try test.act(action, data).errorCode == code, "\(action.rawValue) \(data)")
            let data = try files(test.act(.goBack))
            #expect(data.metadata == nil && data.proof == nil)
        }
        try test.act(.metadataFetched, Hex.encode(blob))
        #expect(try test.act(.transactionFetched, "53ffdf").alert != nil)
        try test.act(.goBack)
        // Half of the metadata are none, and those that were open stay.
        #expect(try test.act(.metadataFetched, Hex.encode(blob.prefix(blob.count / 2))).errorCode == "MetadataFile")
        #expect(try files(test.act(.goBack)).metadata?.name == "westend")
    }

    @Test("lean metadata decode, are smaller, and keep the metadata hash")
    func lean() throws {
        let (test, blob) = try opened()
        let data = try files(test.act(.metadataFetched, Hex.encode(blob)))
        guard case .madeFile(let made)? = try test.act(.makeLean).modal else { throw CoreError.notPending }
        #expect(made.content == (try LeanMetadata.transform(blob)) && made.payload == nil)
        try test.act(.goBack)
        #expect(try files(test.act(.metadataFetched, Hex.encode(made.content))).hash?.hash == data.hash?.hash)
    }
}
