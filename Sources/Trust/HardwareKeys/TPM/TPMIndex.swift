import Cryptography

/// An NV index of this room: what it is, who may use it, and the Name by which policies know it.
///
/// Source: `mainkey` section 17.
package struct TPMIndex: Hashable, Sendable {
    let handle: UInt32
    let attributes: UInt32
    /// The conditions of which one has to be met to use the index without its authorisation.
    let branches: [Branch]

    /// The bytes that an index of either kind holds.
    static let size: UInt16 = 8

    /// A condition under which one command may be used.
    enum Branch: Hashable, Sendable {
        case command(UInt32)
        /// The command, as long as nothing was written.
        case commandOnce(UInt32)
    }

    /// A counter that moves for the holder of its authorisation; anyone may read it, so that a policy can before
    /// unlock.
    package static func counter(_ handle: UInt32) -> TPMIndex {
        TPMIndex(
            handle: handle,
            attributes: TPMConstants.Index.counter | TPMConstants.Index.authWrite | TPMConstants.Index.policyRead
                | TPMConstants.Index.noDictionaryAttack,
            branches: [.command(TPMConstants.Command.nvRead), .command(TPMConstants.Command.policyNV)])
    }

    /// A PIN index, which counts wrong authorisations up to a limit that is written exactly once.
    package static func pin(_ handle: UInt32) -> TPMIndex {
        TPMIndex(
            handle: handle,
            attributes: TPMConstants.Index.pinFail | TPMConstants.Index.authRead | TPMConstants.Index.policyWrite
                | TPMConstants.Index.policyRead | TPMConstants.Index.noDictionaryAttack,
            branches: [.commandOnce(TPMConstants.Command.nvWrite), .command(TPMConstants.Command.nvRead)])
    }

    /// What a PIN index holds at first: the count of wrong attempts, and how many there may be.
    static func content(limit: UInt32) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0]
        bytes.append(bigEndian: limit)
        return bytes
    }
}

extension TPMIndex.Branch {
    var command: UInt32 {
        switch self {
        case .command(let code), .commandOnce(let code): code
        }
    }

    var digest: [UInt8] {
        var policy = TPMPolicyDigest()
        if case .commandOnce = self { policy.requireUnwritten() }
        policy.require(command: command)
        return policy.value
    }
}

extension TPMIndex {
    package var authPolicy: [UInt8] { TPMPolicyDigest.any(of: branches.map(\.digest)) }

    /// The attributes once there is a value.
    package var writtenAttributes: UInt32 { attributes | TPMConstants.Index.written }

    /// The marshalled public area as it is defined, before anything is written.
    var publicArea: [UInt8] { area(attributes: attributes) }

    /// The Name of the written index: a policy can only be met when there is a value.
    package var name: [UInt8] {
        let area = area(attributes: writtenAttributes)
        return [0x00, 0x0b] + SHA256Hash.of(area)
    }

    /// The Name of the index as long as nothing was written to it.
    var unwrittenName: [UInt8] { [0x00, 0x0b] + SHA256Hash.of(publicArea) }

    private func area(attributes: UInt32) -> [UInt8] {
        var area: [UInt8] = []
        area.append(bigEndian: handle)
        area.append(bigEndian: TPMConstants.sha256)
        area.append(bigEndian: attributes)
        area.append(sized: authPolicy)
        area.append(bigEndian: Self.size)
        return area
    }
}
