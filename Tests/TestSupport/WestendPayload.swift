import TextForms

/// Payloads for Westend 9122 as hex, written out as wallets make them.
package enum WestendPayload {
    package static let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    /// The development phrase's root, and its keys at //westend, //Alice, //Bob, //Charlie and //Dave.
    package static let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
    package static let author = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
    package static let alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    package static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
    package static let charlie = "90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22"
    package static let dave = "306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20"

    // MARK: Calls

    /// Balances.transfer_keep_alive of 1 WND by default.
    package static func transfer(to account: String, compact amount: String = "070010a5d4e8") -> String {
        "040300\(account)\(amount)"
    }

    /// 1, 2 and 3 WND to Bob, Charlie and Dave, as a batch for Alice through a proxy.
    package static let proxiedBatch =
        "1600\(alice)0010020c" + transfer(to: bob) + transfer(to: charlie, compact: "0b00204aa9d101")
        + transfer(to: dave, compact: "0b0030ef7dba02")

    /// Balances.transfer_keep_alive of 1 WND to `MultiAddress::Raw`, which is bytes.
    package static func transfer(toRaw text: String) -> String { "040302" + Self.text(text) + "070010a5d4e8" }

    /// Balances.transfer_all, which leaves nothing.
    package static func transferAll(to account: String) -> String { "040400\(account)00" }

    /// System.remark.
    package static func remark(_ text: String) -> String { "0001" + Self.text(text) }

    /// Utility.batch_all.
    package static func batch(_ calls: [String]) -> String { "1002" + compact(calls.count) + calls.joined() }

    /// Proxy.add_proxy: any proxy, at once.
    package static let addProxy = "1601\(bob)0000000000"

    // MARK: Payloads

    /// What hex stands for.
    package static func bytes(of hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }

    /// Code 02.
    package static func transaction(
        _ call: String, by author: String = author, specVersion: String = "a2230000", compactTip: String = "00"
    ) -> String {
        "530102\(author)" + bytes(call) + extensions(specVersion, tip: compactTip) + genesis
    }

    private static func extensions(_ specVersion: String, tip compactTip: String = "00") -> String {
        "b501b8\(compactTip)\(specVersion)07000000\(genesis)" + String(repeating: "53", count: 32)
    }

    /// What is signed for a call.
    package static func signable(_ call: String) -> String { call + extensions("a2230000") }

    /// Code 03, with the tags around the message.
    package static func message(_ content: [UInt8]) -> String {
        "530103\(author)" + hex(Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)) + genesis
    }

    /// Code 04.
    package static func bulk(_ members: [String]) -> String {
        "53ff0400" + compact(members.count) + members.map { bytes(String($0.dropFirst(2))) }.joined()
    }

    /// Code df: sr25519 keys, each at a path in a network.
    package static func request(_ wanted: [(path: String, genesis: String)]) -> String {
        "53ffdf0001\(root)" + compact(wanted.count) + wanted.map { text($0.path) + "01" + $0.genesis }.joined()
    }

    /// Code de: one key of Westend.
    package static func export(_ address: String, path: String) -> String {
        "53ffde0004" + text("theirs") + "01\(root)04" + text(address) + "01" + text(path) + "01" + genesis
    }

    package static func compact(_ count: Int) -> String {
        switch count {
        case ..<(1 << 6): hex([UInt8(count << 2)])
        case ..<(1 << 14): hex([UInt8(count << 2 & 0xff | 1), UInt8(count >> 6)])
        default: hex((0..<4).map { UInt8(truncatingIfNeeded: (count << 2 | 2) >> (8 * $0)) })
        }
    }

    private static func bytes(_ digits: String) -> String { compact(digits.count / 2) + digits }

    /// A text behind its length.
    package static func text(_ text: String) -> String { bytes(hex(Array(text.utf8))) }

    package static func hex(_ bytes: [UInt8]) -> String { Hex.encode(bytes) }
}

/// Payloads for the Polkadot Asset Hub 2000000 as hex.
package enum StatemintPayload {
    private static let genesis = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"

    /// Assets.transfer of 10 USDT (asset 1984, 6 decimals) to Bob.
    package static let assetTransfer = transaction("3208011f00\(WestendPayload.bob)025a6202")

    /// PolkadotXcm.execute of three instructions, of which the second keeps a program for the end.
    package static let program = transaction(
        "1f03040c0004010000" + "0700e40b5402" + "160414" + "0d010000010100\(WestendPayload.bob)" + "0000")

    private static func transaction(_ call: String) -> String {
        "530102\(WestendPayload.alice)\(WestendPayload.compact(call.count / 2))\(call)15000400000080841e000f000000"
            + genesis + String(repeating: "11", count: 32) + "00\(genesis)"
    }
}
