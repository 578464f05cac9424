import Sr25519
import TextForms

/// What chains make of a public key (`substrate-crypto` section 11).
extension MultiSigner {
    /// The 32 bytes that name the account: the key itself, or for ecdsa its BLAKE2b-256.
    public var accountID: [UInt8] {
        switch self {
        case .ed25519(let key), .sr25519(let key): key
        case .ecdsa(let key): Blake2b.hash(key, size: 32)
        }
    }

    /// The account's address as SS58 text.
    ///
    /// - Parameter prefix: that of the network, below 16384.
    public func ss58(prefix: UInt16) throws(SS58Error) -> String {
        try SS58.encode(accountID, prefix: prefix)
    }

    /// The 20 bytes of the Ethereum address; nil unless this is a secp256k1 key that is a point of the curve.
    public var ethereumAddress: [UInt8]? {
        guard case .ecdsa(let key) = self, let coordinates = Secp256k1.coordinates(of: key) else { return nil }
        return Array(Keccak.hash256(coordinates).suffix(20))
    }
}

/// Ethereum addresses as text.
package enum EthereumAddress {
    /// `0x` and 40 digits, with the letters' case as check sum (EIP-55).
    ///
    /// - Parameter address: 20 bytes.
    package static func checksummed(_ address: [UInt8]) -> String {
        let digits = Array(Hex.encode(address).utf8)
        let digest = Keccak.hash256(digits)
        let cased = digits.enumerated().map { index, digit -> UInt8 in
            let nibble = index % 2 == 0 ? digest[index / 2] >> 4 : digest[index / 2] & 15
            return digit > UInt8(ascii: "9") && nibble > 7 ? digit - 32 : digit
        }
        return "0x" + String(decoding: cased, as: UTF8.self)
    }
}
