import SecretMemory
import Substrate

/// Keys of the public development phrase, which everybody has.
enum DevelopmentKeys {
    static func mnemonic() throws -> Mnemonic {
        var phrase = Array("bottom drive obey lake curtain smoke basket hold race lonely fit walk".utf8)
        return try Mnemonic(phrase: SecretBytes(movingFrom: &phrase))
    }
}
