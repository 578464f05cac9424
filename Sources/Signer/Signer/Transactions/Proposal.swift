/// A payload that was read once: what a person is shown, and what a yes then signs, hands out or imports.
///
/// Only a vault makes one, by ``Vault/propose(_:)``. Nothing is decoded again after it was shown, and if anything in
/// the vault has changed meanwhile, acting on it is refused.
public struct Proposal: Sendable {
    /// What the payload asks for, to be shown.
    public let answer: Answer
    /// Binds the payload to the state of the vault that it was read with; nil for one that can only be read.
    public internal(set) var itemID: [UInt8]?
    let payload: [UInt8]
}
