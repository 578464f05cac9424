import Airgap
import SCALE
import Substrate
import TextForms

@testable import SignerCore

/// Payloads for Westend 9122 by `//westend` of the development phrase, as the release's metadata have it.
package enum WestendPayload {
    package static let author = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
    package static let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    package static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
    /// Bob's address with the prefix 42.
    package static let bobAddress = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
    /// The author's.
    package static let authorAddress = SS58Text.of(author)
    /// Makes Bob a proxy: a danger.
    package static let proxy = FlowStart.dangerousTransaction

    private static func compact(_ value: UInt64) -> String {
        var encoder = ScaleEncoder()
        encoder.compact(UInt128(value))
        return Hex.encode(encoder.bytes)
    }

    private static func bytes(_ text: String) -> String {
        compact(UInt64(text.utf8.count)) + Hex.encode(Array(text.utf8))
    }

    /// Balances.transfer_keep_alive.
    package static func transfer(_ amount: UInt64, to account: String = bob) -> String {
        "040300" + account + compact(amount)
    }

    /// Utility.batch_all.
    package static func batch(_ calls: [String]) -> String { "1002" + compact(UInt64(calls.count)) + calls.joined() }

    /// System.remark.
    package static func remark(_ text: String) -> String { "0001" + bytes(text) }

    package static func transaction(_ call: String, tip: UInt64 = 0) -> String {
        let block = String(repeating: "53", count: 32)
        return "530102" + author + compact(UInt64(call.count / 2)) + call + "b501b8\(compact(tip))a223000007000000"
            + genesis + block + genesis
    }

    /// Several payloads as one.
    package static func bulk(_ members: [String]) -> String {
        let parts = members.map { $0.dropFirst(2) }
        return "53ff0400" + compact(UInt64(members.count))
            + parts.map { compact(UInt64($0.count / 2)) + $0 }.joined()
    }

    package static func message(_ text: String) -> String {
        "530103" + author + Hex.encode(Array("<Bytes>\(text)</Bytes>".utf8)) + genesis
    }

    /// Paths below a seed that the person names.
    package static func paths(_ paths: [String]) -> String {
        "53ffde01" + genesis + compact(UInt64(paths.count)) + paths.map(bytes).joined()
    }

    /// A request for the address at a path of the development phrase.
    package static func request(_ path: String) -> String {
        let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
        return "53ffdf0001" + root + "04" + bytes(path) + "01" + genesis
    }
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

extension WestendPayload {
    /// Metadata that nobody signed.
    package static func unsigned(metadata: [UInt8]) -> String {
        let hash = Hash256(Hex.decode(genesis) ?? []) ?? Blake2b.hash256([])
        return Hex.encode(UpdatePayload.payload(.metadata(metadata, genesisHash: hash)))
    }

    /// A record that nobody signed.
    package static func unsigned(_ specs: NetworkSpecs) -> String { Hex.encode(UpdatePayload.payload(.specs(specs))) }
}

extension SS58Text {
    package static func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }
}
