import Airgap
import SCALE
import Substrate
import TestSupport
import TextForms

@testable import SignerCore

extension WestendPayload {
    /// Bob's address with the prefix 42.
    package static let bobAddress = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    /// The author's.
    package static let authorAddress = SS58Text.of(author)
    /// Makes Bob a proxy: a danger.
    package static let proxy = FlowStart.dangerousTransaction

    /// Balances.transfer_keep_alive.
    package static func transfer(_ amount: UInt64, to account: String = bob) -> String {
        transfer(to: account, compact: compact(amount))
    }

    /// - Parameter tip: what goes to whoever makes the block.
    package static func transaction(_ call: String, tip: UInt64) -> String {
        transaction(call, compactTip: compact(tip))
    }

    private static func compact(_ value: UInt64) -> String {
        var encoder = ScaleEncoder()
        encoder.compact(UInt128(value))
        return Hex.encode(encoder.bytes)
    }

    package static func message(_ text: String) -> String { message(Array(text.utf8)) }

    /// Paths below a seed that the person names.
    package static func paths(_ paths: [String]) -> String {
        "53ffde01" + genesis + compact(paths.count) + paths.map(text).joined()
    }

    /// A request for the address at a path of the development phrase.
    package static func request(_ path: String) -> String { request([(path, genesis)]) }

    /// Metadata that nobody signed.
    package static func unsigned(metadata: [UInt8]) -> String {
        let hash = Hash256(Hex.decode(genesis) ?? []) ?? Blake2b.hash256([])
        return Hex.encode(UpdatePayload.payload(.metadata(metadata, genesisHash: hash)))
    }

    /// A record that nobody signed.
    package static func unsigned(_ specs: NetworkSpecs) -> String { Hex.encode(UpdatePayload.payload(.specs(specs))) }
}

package enum SS58Text {
    package static func of(_ key: String) -> String { (try? SS58.encode(Hex.decode(key) ?? [], prefix: 42)) ?? "" }

    /// In groups of four characters.
    package static func grouped(_ address: String) -> String {
        stride(from: 0, to: address.count, by: 4).map { start in
            String(address.dropFirst(start).prefix(4))
        }.joined(separator: " ")
    }
}

extension SS58Text {
    package static func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }
}
