import SecretMemory
import Substrate

extension FuzzTarget {
    static let suri = FuzzTarget(
        name: "suri",
        seeds: [
            "bottom drive obey lake curtain smoke basket hold race lonely fit walk//Alice/soft///password", "//Alice",
            "/1//2",
            "0xfac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e",
        ].map { Array($0.utf8) }
    ) { bytes in
        guard let secret = try? bytes.withUnsafeBytes({ try SecretBytes(copying: $0) }) else { return }
        _ = try? SecretURI(parsing: secret)
    }

    static let derivationPath = FuzzTarget(
        name: "derivation-path", seeds: ["//polkadot/0//1", "/soft", ""].map { Array($0.utf8) }
    ) { bytes in
        _ = try? DerivationPath(parsing: String(decoding: bytes, as: UTF8.self))
    }

    static let ss58 = FuzzTarget(
        name: "ss58", seeds: [Array("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY".utf8)]
    ) { bytes in
        _ = try? SS58.decode(String(decoding: bytes, as: UTF8.self))
    }

    static let mnemonic = FuzzTarget(
        name: "mnemonic",
        seeds: [Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)]
    ) { bytes in
        guard let secret = try? bytes.withUnsafeBytes({ try SecretBytes(copying: $0) }) else { return }
        _ = try? Mnemonic(phrase: secret)
    }
}
