import SCALE

/// The special meaning of a value inside an extension (`signer-wire` section 5.3).
enum ExtensionRole {
    case none, era, nonce, tip, spec, tx, genesis, block

    init(identifier: String) {
        switch identifier {
        case "CheckSpecVersion": self = .spec
        case "CheckTxVersion": self = .tx
        case "CheckGenesis": self = .genesis
        case "CheckMortality": self = .block
        case "CheckNonce": self = .nonce
        case "ChargeTransactionPayment": self = .tip
        default: self = .none
        }
    }

    /// Tells the fact by the last segment of a type's path.
    init?(mark: TypeMark) {
        switch mark {
        case .era: self = .era
        case .nonce: self = .nonce
        case .tip: self = .tip
        default: return nil
        }
    }
}

/// The four facts that a transaction's safety rests on, collected while its extensions are walked.
struct ExtensionFacts {
    /// The network's.
    let genesisHash: Hash256
    /// The role that the current extension's identifier gives.
    var identifierRole = ExtensionRole.none
    private(set) var era: Era?
    private(set) var blockHash: Hash256?
    private(set) var specVersion: UInt128?
    private var hasGenesis = false

    init(genesisHash: Hash256) {
        self.genesisHash = genesisHash
    }

    mutating func note(era: Era) throws(DecodingError) {
        guard self.era == nil else { throw .eraTwice }
        self.era = era
    }

    mutating func note(blockHash: Hash256) throws(DecodingError) {
        guard self.blockHash == nil else { throw .blockHashTwice }
        self.blockHash = blockHash
    }

    mutating func note(genesis: Hash256, offset: Int) throws(DecodingError) {
        guard !hasGenesis else { throw .genesisHashTwice }
        guard genesis == genesisHash else { throw .genesisHashMismatch(offset: offset) }
        hasGenesis = true
    }

    mutating func note(specVersion: UInt128) throws(DecodingError) {
        guard self.specVersion == nil else { throw .specVersionTwice }
        self.specVersion = specVersion
    }

    /// The facts, if all are there and agree; checked in the order of `signer-wire` section 5.3.
    func checked(
        specVersion expected: UInt32, rest: ScaleDecoder, genesis: Hash256
    ) throws(DecodingError) -> (era: Era, blockHash: Hash256) {
        guard let blockHash else { throw .noBlockHash }
        guard let era else { throw .noEra }
        guard let specVersion else { throw .noVersionExt }
        guard hasGenesis else { throw .noGenesisHash }
        guard specVersion == UInt128(expected) else {
            throw .wrongNetworkVersion(decoded: specVersion, metadata: expected)
        }
        guard rest.isAtEnd else { throw .someDataNotUsedExtensions(offset: rest.position, count: rest.remaining) }
        guard era != .immortal || blockHash == genesis else { throw .immortalHashMismatch }
        return (era, blockHash)
    }
}
