import Cryptography

/// What has to be true for a sealed secret to be released.
///
/// Source: `mainkey` section 17.
package enum TPMPolicy: Hashable, Sendable {
    /// Template 1: the authorisation, under the TPM-wide lockout.
    case authorisation
    /// Template 2: template 1, and the counter has this value, so that blobs die when it moves.
    case counter(index: UInt32, value: UInt64)
    /// Template 3: template 2, and the PIN index accepts the authorisation, so that guesses are limited for this vault
    /// alone.
    case limited(counter: UInt32, value: UInt64, pin: UInt32, limit: UInt32)

    /// The number of the template, 1 to 3, as the sealed blob writes it.
    package var template: UInt8 {
        switch self {
        case .authorisation: 1
        case .counter: 2
        case .limited: 3
        }
    }

    /// The counter's index and the value that it must have.
    package var counter: (index: UInt32, value: UInt64)? {
        switch self {
        case .authorisation: nil
        case .counter(let index, let value): (index, value)
        case .limited(let index, let value, _, _): (index, value)
        }
    }

    /// The PIN index and its limit of wrong attempts.
    package var pin: (index: UInt32, limit: UInt32)? {
        guard case .limited(_, _, let index, let limit) = self else { return nil }
        return (index, limit)
    }

    /// The digest that the sealed object carries (32 bytes) where it is bound to no registers.
    package var digest: [UInt8] { digest(with: nil) }

    /// The digest that the sealed object carries (32 bytes).
    func digest(with registers: TPMRegisterState?) -> [UInt8] {
        var policy = TPMPolicyDigest()
        if let registers { policy.require(registers) }
        if let pin { policy.requireSecret(ofName: TPMIndex.pin(pin.index).name) }
        if let counter {
            policy.requireCounter(named: TPMIndex.counter(counter.index).name, toBe: counter.value)
        }
        policy.requireAuthValue()
        return policy.value
    }
}

/// A policy digest as the TPM computes it, command for command.
struct TPMPolicyDigest {
    private(set) var value = [UInt8](repeating: 0, count: 32)

    mutating func requireAuthValue() { extend(TPMConstants.Command.policyAuthValue) }

    mutating func require(_ registers: TPMRegisterState) {
        extend(TPMConstants.Command.policyPCR, registers.selection.marshalled + registers.digest)
    }

    mutating func requireCounter(named name: [UInt8], toBe value: UInt64) {
        var comparison: [UInt8] = []
        comparison.append(bigEndian: value)
        comparison.append(bigEndian: UInt16(0))  // offset
        comparison.append(bigEndian: UInt16(0))  // operation: equal
        extend(TPMConstants.Command.policyNV, SHA256Hash.of(comparison) + name)
    }

    mutating func requireSecret(ofName name: [UInt8]) {
        extend(TPMConstants.Command.policySecret, name)
        value = SHA256Hash.of(value)  // then the reference, which is empty
    }

    mutating func requireUnwritten() { extend(TPMConstants.Command.policyNvWritten, [0]) }

    mutating func require(command: UInt32) {
        var argument: [UInt8] = []
        argument.append(bigEndian: command)
        extend(TPMConstants.Command.policyCommandCode, argument)
    }

    /// The digest of "one of these branches".
    static func any(of branches: [[UInt8]]) -> [UInt8] {
        var policy = TPMPolicyDigest()
        policy.extend(TPMConstants.Command.policyOR, branches.flatMap { $0 })
        return policy.value
    }

    private mutating func extend(_ command: UInt32, _ argument: [UInt8] = []) {
        var input = value
        input.append(bigEndian: command)
        value = SHA256Hash.of(input + argument)
    }
}
