import SCALE
import Substrate

extension ForgedProof {
    /// The chain that is lied about: Polkadot Asset Hub as the product ships it.
    public struct Victim: Sendable {
        public let metadata: RuntimeMetadata
        public let network: NetworkSpecs
        /// The hash of the chain's own metadata.
        public let hash: Hash256
        /// The hash of the block that transactions are valid from: nobody can choose one.
        public let blockHash = Hash256([UInt8](repeating: 0x11, count: Hash256.byteCount))!

        public init(metadata: RuntimeMetadata, network: NetworkSpecs) throws {
            self.metadata = metadata
            self.network = network
            hash = try MerkleizedMetadata(metadata).digest(MetadataExtraInfo(metadata, network)).hash
        }

        /// What the chain takes the bytes for; nil where it would refuse them.
        ///
        /// It reads a call from the first byte on, then the extensions to the end, and puts its own values where
        /// extensions add something to the signed bytes: a signature over others is not valid.
        public func reading(of signable: [UInt8]) -> (call: DecodedCall, extensions: TransactionExtensions)? {
            let decoder = TransactionDecoder(metadata: metadata, network: network)
            var end = signable.count
            do throws(DecodingError) {
                _ = try decoder.readCall(signable)
            } catch {
                guard case .someDataNotUsedMethod(let offset, _) = error else { return nil }
                end = offset
            }
            guard let call = try? decoder.readCall(signable, in: 0..<end),
                let extensions = try? decoder.decodeExtensions(signable, in: end..<signable.count),
                [blockHash, network.genesisHash].contains(extensions.blockHash),
                let part = extensions.part(TransactionExtensions.metadataHashIdentifier)
            else { return nil }
            let isChecked = signable[part.included] == [1]
            guard signable[part.additional] == (isChecked ? [1] + hash.bytes[...] : [0]) else { return nil }
            return (call, extensions)
        }

        /// Whether a proof shows another transaction than the chain would run with a signature over the bytes.
        public func isDeceived(by decoded: ProofTransactionDecoder.Decoded, signable: [UInt8]) -> Bool {
            guard decoded.error == nil, let truth = reading(of: signable) else { return false }
            return truth.call.cards.map(\.line) != decoded.method?.cards.map(\.line)
        }
    }
}
