/// Payloads for Westend 9122 as hex, written out as wallets make them.
enum WestendPayload {
    static let genesis = "e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e"
    /// The development phrase's root, and its keys at //westend, //Alice, //Bob, //Charlie and //Dave.
    static let root = "46ebddef8cd9bb167dc30878d7113b7e168e6f0646beffd77d69d39bad76b47a"
    static let author = "3efeca331d646d8a2986374bb3bb8d6e9e3cfcdd7c45c2b69104fab5d61d3f34"
    static let alice = "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d"
    static let bob = "8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48"
    static let charlie = "90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22"
    static let dave = "306721211d5404bd9da88e0204360a1a9ab8b87c66c1bc2fcdd37f3c2222cc20"

    // MARK: Calls

    /// Balances.transfer_keep_alive of 1 WND by default.
    static func transfer(to account: String, compact amount: String = "070010a5d4e8") -> String {
        "040300\(account)\(amount)"
    }

    /// 1, 2 and 3 WND to Bob, Charlie and Dave, as a batch for Alice through a proxy.
    static let proxiedBatch =
        "1600\(alice)0010020c" + transfer(to: bob) + transfer(to: charlie, compact: "0b00204aa9d101")
        + transfer(to: dave, compact: "0b0030ef7dba02")

    /// Balances.transfer_keep_alive of 1 WND to `MultiAddress::Raw`, which is bytes.
    static func transfer(toRaw text: String) -> String { "040302" + Self.text(text) + "070010a5d4e8" }

    /// Balances.transfer_all, which leaves nothing.
    static func transferAll(to account: String) -> String { "040400\(account)00" }

    /// System.remark.
    static func remark(_ text: String) -> String { "0001" + Self.text(text) }

    /// Utility.batch_all.
    static func batch(_ calls: [String]) -> String { "1002" + compact(calls.count) + calls.joined() }

    /// Proxy.add_proxy: any proxy, at once.
    static let addProxy = "1601\(bob)0000000000"

    // MARK: Payloads

    /// What hex stands for.
    static func bytes(of hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<$0 + 2]), radix: 16) }
    }

    /// Code 02.
    static func transaction(_ call: String, by author: String = author, specVersion: String = "a2230000") -> String {
        "530102\(author)" + bytes(call) + "b501b800\(specVersion)07000000\(genesis)"
            + String(repeating: "53", count: 32) + genesis
    }

    /// Code 03, with the tags around the message.
    static func message(_ content: [UInt8]) -> String {
        "530103\(author)" + hex(Array("<Bytes>".utf8) + content + Array("</Bytes>".utf8)) + genesis
    }

    /// Code 04.
    static func bulk(_ members: [String]) -> String {
        "53ff0400" + compact(members.count) + members.map { bytes(String($0.dropFirst(2))) }.joined()
    }

    /// Code df: sr25519 keys, each at a path in a network.
    static func request(_ wanted: [(path: String, genesis: String)]) -> String {
        "53ffdf0001\(root)" + compact(wanted.count) + wanted.map { text($0.path) + "01" + $0.genesis }.joined()
    }

    /// Code de: one key of Westend.
    static func export(_ address: String, path: String) -> String {
        "53ffde0004" + text("theirs") + "01\(root)04" + text(address) + "01" + text(path) + "01" + genesis
    }

    static func compact(_ count: Int) -> String {
        switch count {
        case ..<(1 << 6): hex([UInt8(count << 2)])
        case ..<(1 << 14): hex([UInt8(count << 2 & 0xff | 1), UInt8(count >> 6)])
        default: hex((0..<4).map { UInt8(truncatingIfNeeded: (count << 2 | 2) >> (8 * $0)) })
        }
    }

    private static func bytes(_ digits: String) -> String { compact(digits.count / 2) + digits }

    private static func text(_ text: String) -> String { bytes(hex(Array(text.utf8))) }

    static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Payloads for the Polkadot Asset Hub 2000000 as hex.
enum StatemintPayload {
    private static let genesis = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"

    /// Assets.transfer of 10 USDT (asset 1984, 6 decimals) to Bob.
    static let assetTransfer = transaction("3208011f00\(WestendPayload.bob)025a6202")

    /// PolkadotXcm.execute of three instructions, of which the second keeps a program for the end.
    static let program = transaction(
        "1f03040c0004010000" + "0700e40b5402" + "160414" + "0d010000010100\(WestendPayload.bob)" + "0000")

    private static func transaction(_ call: String) -> String {
        "530102\(WestendPayload.alice)\(WestendPayload.compact(call.count / 2))\(call)15000400000080841e000f000000"
            + genesis + String(repeating: "11", count: 32) + "00\(genesis)"
    }
}
