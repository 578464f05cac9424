import SCALE
import Substrate

/// A wallet that lies: it has bytes signed which the chain reads as one transaction, and brings a metadata proof that
/// reads them as another.
///
/// The proof names its own types and its own list of extensions, so everything that makes a proof count can stand
/// inside a remark of the true call. What the wallet chooses is drawn from a script, which tests fill at random and the
/// fuzzer by its inputs: the fuzz targets use this folder too.
public struct ForgedProof {
    /// Call and extensions: what is signed.
    public private(set) var signable: [UInt8]
    /// Where the proof has the call end.
    public let callLength: Int
    /// A `MetadataProof`, encoded.
    public private(set) var proof: [UInt8]

    public init(_ script: Script, against victim: Victim) throws {
        let choices = Choices(script)
        // The list has everything that a proof must state; what is left of the bytes goes to an extension that no chain
        // has.
        var statements = Statement.all(victim)
        let turn = choices.rotation % statements.count
        statements = Array(statements[turn...] + statements[..<turn])
        let layout = SignedBytes(statements, choices: choices, hash: victim.hash, victim: victim)
        proof = Self.encode(
            choices.listing(of: statements), head: layout.head - 2, rest: layout.rest,
            firstBytes: Array(layout.bytes.prefix(2)), victim)
        // Lengths do not hang on the hash: it is filled in when the proof that it is of is made.
        let hash = try MetadataProof(proof).digest().hash
        signable = SignedBytes(statements, choices: choices, hash: hash, victim: victim).bytes
        callLength = min(max(2, layout.head + layout.shownCall + choices.lengthMove), signable.count)
    }

    /// Puts other bytes into proof and transaction: of each three in `changes`, two name the place and one the new
    /// value.
    public mutating func change(_ changes: some Collection<UInt8>) {
        var rest = Array(changes)[...]
        while let high = rest.popFirst(), let low = rest.popFirst(), let value = rest.popFirst() {
            let place = (Int(high) << 8 | Int(low)) % (proof.count + signable.count)
            if place < proof.count { proof[place] = value } else { signable[place - proof.count] = value }
        }
    }

    /// What a payload holds behind the author: proof, call with its length, extensions, genesis.
    public func body(genesis: Hash256) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(proof)
        encoder.byteSequence(Array(signable[..<callLength]))
        encoder.raw(signable[callLength...] + genesis.bytes)
        return encoder.bytes
    }
}

// MARK: What the wallet chooses

extension ForgedProof {
    /// Choices one after the other; all zero when it is used up.
    public struct Script {
        private var bytes: ArraySlice<UInt8>

        public init(_ bytes: some Sequence<UInt8>) {
            self.bytes = Array(bytes)[...]
        }

        mutating func choice(below limit: Int) -> Int { Int(bytes.popFirst() ?? 0) % limit }

        mutating func isSo() -> Bool { choice(below: 2) == 1 }
    }

    struct Choices {
        /// How the signed bytes end, where the chain looks for its metadata hash.
        enum End: CaseIterable {
            /// The check is off: the chain compares nothing.
            case checkOff
            case forgedHash
            case trueHash
        }

        /// What the chain does behind the remark.
        enum Theft: CaseIterable {
            case wholeBalance, transfer, remark
        }

        let end: End
        let theft: Theft
        /// Whether the extension that no chain has eats the rest inside the transaction, not among what is only signed.
        let restIsIncluded: Bool
        let restStandsBeforeHash: Bool
        /// How far the list of extensions is rotated.
        let rotation: Int
        let shownAmount: UInt128
        /// `remark` or `remark_with_event`.
        let remarkMethod: UInt8
        /// Bytes that the length of the call is moved by.
        let lengthMove: Int

        init(_ script: Script) {
            var script = script
            end = End.allCases[script.choice(below: End.allCases.count)]
            restIsIncluded = script.isSo()
            restStandsBeforeHash = script.isSo()
            rotation = script.choice(below: 8)
            shownAmount = UInt128(1 + script.choice(below: 255)) * 10_000_000_000
            remarkMethod = script.isSo() ? 7 : 0
            theft = Theft.allCases[script.choice(below: Theft.allCases.count)]
            lengthMove = script.isSo() ? script.choice(below: 8) - 4 : 0
        }

        /// The list of extensions as the proof has it.
        func listing(of statements: [Statement]) -> [Statement] {
            let rest = Statement(
                identifier: "StorageWeightReclaim", included: restIsIncluded ? .type(.includedRest) : .void,
                additional: restIsIncluded ? .void : .type(.additionalRest))
            let hash = statements.firstIndex { $0.identifier == TransactionExtensions.metadataHashIdentifier }
            var listing = statements
            listing.insert(rest, at: restStandsBeforeHash ? hash ?? 0 : statements.count)
            return listing
        }
    }
}

// MARK: What is signed

extension ForgedProof {
    /// An extension of the forged list, with what the wallet writes for it into the remark.
    struct Statement {
        var identifier: String
        var included = ForgedReference.void
        var additional = ForgedReference.void
        var includedBytes: [UInt8] = []
        var additionalBytes: [UInt8] = []

        /// What every proof has to state.
        static func all(_ victim: Victim) -> [Statement] {
            let genesis = victim.network.genesisHash.bytes
            let version = victim.metadata.version
            return [
                Statement(identifier: "CheckMortality", includedBytes: [0], additionalBytes: genesis),
                Statement(identifier: "CheckNonce", included: .compactU32, includedBytes: [0]),
                Statement(identifier: TransactionExtensions.metadataHashIdentifier, includedBytes: [1]),
                Statement(identifier: "CheckGenesis", additionalBytes: genesis),
                Statement(
                    identifier: "CheckSpecVersion", additional: .u32,
                    additionalBytes: Value.integer(version.specVersion)),
                Statement(
                    identifier: "CheckTxVersion", additional: .u32,
                    additionalBytes: Value.integer(version.transactionVersion)),
            ]
        }
    }

    /// The bytes that are signed: a batch of a remark, which holds all that the forged proof reads, and of what the
    /// wallet is after.
    struct SignedBytes {
        let bytes: [UInt8]
        /// Bytes in front of the remark's text.
        let head: Int
        /// Bytes of the remark that the proof reads as the rest of its call.
        let shownCall: Int
        /// Bytes behind the remark.
        let rest: Int

        init(_ statements: [Statement], choices: Choices, hash: Hash256, victim: Victim) {
            let call = [UInt8](repeating: 0x77, count: 32) + Value.compact(choices.shownAmount)
            let included = statements.flatMap(\.includedBytes)
            let additional = statements.flatMap { statement -> [UInt8] in
                statement.identifier == TransactionExtensions.metadataHashIdentifier
                    ? [1] + hash.bytes : statement.additionalBytes
            }
            let text = call + included + additional
            // Utility.batch_all of two calls, the first of them System.remark.
            let front = [0x28, 0x02, 0x08, 0x00, choices.remarkMethod] + Value.compact(UInt128(text.count))
            let behind = Self.theft(choices) + Self.trueExtensions(choices, hash: hash, victim)
            bytes = front + text + behind
            (head, shownCall, rest) = (front.count, call.count, behind.count)
        }

        private static func theft(_ choices: Choices) -> [UInt8] {
            let thief = [UInt8](repeating: 0x66, count: 32)
            return switch choices.theft {
            case .wholeBalance: [0x0a, 0x04, 0x00] + thief + [0]
            case .transfer: [0x0a, 0x03, 0x00] + thief + Value.compact(500_000_000_000)
            case .remark: [0x00, choices.remarkMethod, 0]
            }
        }

        /// What the chain itself reads: an immortal transaction without a tip.
        private static func trueExtensions(_ choices: Choices, hash: Hash256, _ victim: Victim) -> [UInt8] {
            let genesis = victim.network.genesisHash.bytes
            let version = victim.metadata.version
            let signed: [UInt8] =
                switch choices.end {
                case .checkOff: [0]
                case .forgedHash: [1] + hash.bytes
                case .trueHash: [1] + victim.hash.bytes
                }
            return [0, 0, 0, 0, signed[0]] + Value.integer(version.specVersion)
                + Value.integer(version.transactionVersion)
                + genesis + genesis + signed
        }
    }
}
