import Substrate
import TextForms

/// Accounts of the public development phrase, at `//Alice`, `//Bob` and `//Charlie`.
enum Person {
    static let alice = key("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
    static let bob = key("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48")
    static let charlie = key("90b5ab205c6974c9ea841be688864633dc9ca8a357843eeacf2314649965fe22")
    /// No point that anybody has the secret of: searched for an address on Polkadot that begins and ends like Alice's.
    static let likeAlice = key("d43593c715fdd31c000000000000000000000000000000000000000000cfce5d")

    private static func key(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }
}
