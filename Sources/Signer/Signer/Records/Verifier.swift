import SCALE
import Substrate

/// The key that signs updates, or none (`signer-wire` section 7.2). Encoded as an option of an enum with one variant.
package struct Verifier: Hashable, Sendable {
    package var key: MultiSigner?

    package init(_ key: MultiSigner?) {
        self.key = key
    }

    package static let none = Verifier(nil)
}

extension Verifier: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        key = try decoder.option { (decoder) throws(ScaleError) in try VerifierValue(from: &decoder).key }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.option(key) { $0.value(VerifierValue($1)) }
    }
}

/// A key that signed something, as history entries name it.
package struct VerifierValue: Hashable, Sendable {
    package var key: MultiSigner

    package init(_ key: MultiSigner) {
        self.key = key
    }
}

extension VerifierValue: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        let index = try decoder.uint8()
        guard index == 0 else { throw .invalidEnumIndex(offset: offset, found: index, type: "VerifierValue") }
        key = try MultiSigner(from: &decoder)
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.integer(0 as UInt8)
        encoder.value(key)
    }
}

/// The verifier that a network trusts for its updates: the general one or one of its own.
package enum ValidCurrentVerifier: Hashable, Sendable {
    case general
    case custom(Verifier)
}

extension ValidCurrentVerifier: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0: self = .general
        case 1: self = .custom(try Verifier(from: &decoder))
        case let index: throw .invalidEnumIndex(offset: offset, found: index, type: "ValidCurrentVerifier")
        }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        switch self {
        case .general: encoder.integer(0 as UInt8)
        case .custom(let verifier):
            encoder.integer(1 as UInt8)
            encoder.value(verifier)
        }
    }
}

/// The stored verifier of a network. `dead` is read from old vaults and never written.
package enum CurrentVerifier: Hashable, Sendable {
    case valid(ValidCurrentVerifier)
    case dead
}

extension CurrentVerifier: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        let offset = decoder.position
        switch try decoder.uint8() {
        case 0: self = .valid(try ValidCurrentVerifier(from: &decoder))
        case 1: self = .dead
        case let index: throw .invalidEnumIndex(offset: offset, found: index, type: "CurrentVerifier")
        }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        switch self {
        case .valid(let verifier):
            encoder.integer(0 as UInt8)
            encoder.value(verifier)
        case .dead: encoder.integer(1 as UInt8)
        }
    }
}
