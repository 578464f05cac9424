import Airgap
import Signer
import Substrate
import TextForms

/// Files of metadata and proofs that a person has opened to look at. Nothing of them is taken into the vault.
struct MetadataFiles: Sendable {
    /// Metadata that were opened.
    struct Opened: Sendable {
        var metadata: ChainMetadata
        /// What their hash is made of, and why it cannot be made.
        var tree: Result<MerkleizedMetadata, MetadataFileError>
        /// The hash, and what it says beside the types; nil where the token is not known.
        var hash: MetadataHash?
        var extraInfo: MetadataExtraInfo?
        /// What a person says of the token.
        var token = TokenOverride()

        /// Makes the hash where the token is known.
        mutating func makeHash(in vault: Vault) throws {
            guard case .registry(let runtime) = metadata, case .success(let tree) = tree,
                let info = try vault.extraInfo(of: runtime, token)
            else { return }
            hash = MetadataHash(runtime, tree, extraInfo: info)
            extraInfo = info
        }

        /// Why there is no hash; nil where there is one.
        var problem: MetadataFileError? {
            if hash != nil { return nil }
            if case .failure(let error) = tree { return error }
            return .tokenUnknown(metadata.specName)
        }
    }

    var opened: Opened?
    var proof: CheckedProof?
    var made: MadeFileData?

    /// Reads metadata. A proof that was there is not one of theirs.
    mutating func open(_ blob: [UInt8], in vault: Vault) throws {
        let metadata: ChainMetadata
        do { metadata = try ChainMetadata(blob) } catch { throw MetadataFileError.unreadable("\(error)") }
        var new = Opened(metadata: metadata, tree: Self.tree(of: metadata))
        try new.makeHash(in: vault)
        (opened, proof) = (new, nil)
    }

    private static func tree(of metadata: ChainMetadata) -> Result<MerkleizedMetadata, MetadataFileError> {
        guard case .registry(let runtime) = metadata else { return .failure(.tooOld(metadata.formatVersion)) }
        do throws(MerkleizationError) { return .success(try MerkleizedMetadata(runtime)) } catch {
            return .failure(.unreadable("\(error)"))
        }
    }

    /// Makes the hash for another token. A proof that was compared was so with the one of before.
    mutating func take(_ token: TokenOverride, in vault: Vault) throws {
        guard var new = opened else { throw MetadataFileError.noMetadata }
        (new.token, new.hash, new.extraInfo) = (token, nil, nil)
        try new.makeHash(in: vault)
        if let problem = new.problem { throw problem }
        (opened, proof) = (new, nil)
    }

    /// Verifies a proof, and compares it with the metadata where there are some.
    mutating func verify(_ content: [UInt8]) throws {
        var checked: CheckedProof
        do { checked = try CheckedProof(in: content) } catch { throw MetadataFileError.proofRefused("\(error)") }
        if let opened {
            let tree = try opened.tree.get()
            guard case .registry(let runtime) = opened.metadata else { throw MetadataFileError.noMetadata }
            try Self.telling { () throws(CheckedProof.Difference) in
                try checked.compare(with: runtime, tree, knowing: opened.extraInfo)
            }
        }
        proof = checked
    }

    /// Compares the proof with a metadata hash.
    mutating func compare(with text: String) throws {
        guard var checked = proof else { throw CoreError.notPending }
        let digits = text.split(whereSeparator: \.isWhitespace)
        guard digits.count == 1, let wanted = Hex.decode(digits[0]).flatMap({ Hash256($0) }) else {
            throw MetadataFileError.notAHash
        }
        // Also where it differs: what was found before is not to be shown again.
        defer { proof = checked }
        try Self.telling { () throws(CheckedProof.Difference) in try checked.compare(with: wanted) }
    }

    private static func telling(_ body: () throws(CheckedProof.Difference) -> Void) throws {
        do { try body() } catch { throw MetadataFileError.differs(found: error.found, wanted: error.wanted) }
    }

    /// Cuts the proof for one transaction out of the metadata.
    mutating func prove(_ payload: [UInt8], in vault: Vault) throws {
        guard let opened else { throw MetadataFileError.noMetadata }
        let tree = try opened.tree.get()
        guard case .registry(let runtime) = opened.metadata,
            let info = try vault.extraInfo(of: runtime, opened.token)
        else { throw MetadataFileError.tokenUnknown(opened.metadata.specName) }
        guard case .transaction(let transaction) = try Payload(payload), let parts = transaction.parts() else {
            throw MetadataFileError.notATransaction
        }
        let proof: [UInt8]
        do throws(MerkleizationError) {
            proof = try tree.proof(
                call: Array(transaction.bytes[parts.call]), extensions: Array(transaction.bytes[parts.extensions]),
                extraInfo: info)
        } catch { throw MetadataFileError.unreadable("\(error)") }
        made = MadeFileData(
            kind: .proof(try MadeProof(proof)), content: proof, payload: transaction.adding(proof: proof))
    }

    /// Drops the documentation texts.
    mutating func makeLean() throws {
        guard let opened else { throw MetadataFileError.noMetadata }
        let blob = opened.metadata.blob
        let (lean, metadata): ([UInt8], RuntimeMetadata)
        do {
            lean = try LeanMetadata.transform(blob)
            metadata = try RuntimeMetadata(lean)
        } catch { throw MetadataFileError.unreadable("\(error)") }
        made = MadeFileData(
            kind: .lean(before: blob.count, hash: metadata.blobHash.hex), content: lean)
    }
}

/// What is wrong with a file of metadata, or with a proof.
enum MetadataFileError: Error, Equatable {
    case noMetadata
    case unreadable(String)
    /// Types are text in metadata of this version.
    case tooOld(UInt8)
    case tokenUnknown(String)
    case tokenMalformed
    case proofRefused(String)
    case differs(found: String, wanted: String)
    case notAHash
    case notATransaction
}

extension MetadataFileError: ReportedError {
    var reportedCode: String {
        switch self {
        case .noMetadata: "NoMetadataFile"
        case .unreadable, .tooOld: "MetadataFile"
        case .tokenUnknown, .tokenMalformed: "TokenUnknown"
        case .proofRefused: "ProofRefused"
        case .differs: "MetadataHashDiffers"
        case .notAHash: "DigestMalformed"
        case .notATransaction: "NotATransaction"
        }
    }

    var parameters: [String: String] {
        switch self {
        case .unreadable(let reason), .proofRefused(let reason): ["reason": reason]
        case .tooOld(let version): ["version": "\(version)"]
        case .tokenUnknown(let name): ["name": name]
        case .differs(let found, let wanted): ["found": found, "wanted": wanted]
        default: [:]
        }
    }

    var description: String {
        switch self {
        case .noMetadata: "No metadata are open here. Open a file of them first."
        case .unreadable(let reason): "The metadata cannot be used: \(reason)."
        case .tooOld(let version):
            "Metadata of version \(version) have no metadata hash: chains compute it of version 15, and 14 and 16 describe the same."
        case .tokenUnknown(let name):
            "This vault knows no network named \(name), so decimals and symbol of its token are not known. Fill them in."
        case .tokenMalformed:
            "A token has decimals from 0 to 255, a symbol, and a prefix of addresses from 0 to 65535, each as it is or left empty."
        case .proofRefused(let reason): "This is no proof that can be trusted: \(reason)."
        case .differs(let found, let wanted):
            "The proof amounts to the metadata hash \(found), and not to \(wanted), with which it was compared."
        case .notAHash: "A metadata hash is 64 hex digits."
        case .notATransaction: "The payload is no single transaction, so there is nothing to prove."
        }
    }
}
