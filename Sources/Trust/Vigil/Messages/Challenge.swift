import BigEndian
import CodeMeasurement

/// The digests that the two sides compare.
public enum HashProfile: UInt8, Sendable {
    /// The raw text segment, as the design's first version had it.
    case text1 = 1
    /// The canonical content of every image of the bundle.
    case text2 = 2
}

/// What a validator offers or wants.
package struct Capabilities: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    package static let wantsHandles = Capabilities(rawValue: 1)
    package static let wantsConfirmation = Capabilities(rawValue: 2)
    package static let givesGrants = Capabilities(rawValue: 4)
    package static let givesEvidence = Capabilities(rawValue: 8)
    package static let isProvisioning = Capabilities(rawValue: 16)
}

/// The validator's first word: answer this, and only now.
///
/// Source: `vigil` section 7.3, type 0x01.
package struct Challenge: WireMessage {
    package static let type = MessageType.challenge
    package static let senders: Set<Role> = [.validator]
    package static let length: Int? = 88
    private static let suite: UInt8 = 1

    package var nonce: Bytes32
    package var validatorKeyID: Bytes32
    package var profile: HashProfile
    package var capabilities: Capabilities
    package var epoch: UInt32
    package var deadlineMilliseconds: UInt32
    /// Descriptors of the validator that come with this frame.
    package var handles: HandleMask

    package init(
        nonce: Bytes32, validatorKeyID: Bytes32, profile: HashProfile, capabilities: Capabilities, epoch: UInt32,
        deadline: Duration, handles: HandleMask
    ) {
        self.nonce = nonce
        self.validatorKeyID = validatorKeyID
        self.profile = profile
        self.capabilities = capabilities
        self.epoch = epoch
        deadlineMilliseconds = UInt32(clamping: deadline.inMilliseconds)
        self.handles = handles
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        nonce = try fields.bytes32()
        validatorKeyID = try fields.bytes32()
        let suite: UInt8 = try fields.integer()
        guard suite == Self.suite else { throw Refusal(.profileUnsupported, "suite \(suite) is not spoken here") }
        let profile: UInt8 = try fields.integer()
        guard let profile = HashProfile(rawValue: profile) else {
            throw Refusal(.profileUnsupported, "profile \(profile) is not spoken here")
        }
        self.profile = profile
        capabilities = Capabilities(rawValue: try fields.integer())
        epoch = try fields.integer()
        deadlineMilliseconds = try fields.integer()
        handles = try fields.handles()
        try fields.zeros(3)
    }

    package var bytes: [UInt8] {
        var message = MessageHeader(.challenge, from: .validator).bytes + nonce.bytes + validatorKeyID.bytes
        message += [Self.suite, profile.rawValue]
        message.append(bigEndian: capabilities.rawValue)
        message.append(bigEndian: epoch)
        message.append(bigEndian: deadlineMilliseconds)
        return message + [handles.rawValue, 0, 0, 0]
    }
}

extension FieldReader {
    mutating func handles() throws(Refusal) -> HandleMask {
        let mask = HandleMask(rawValue: try integer())
        guard mask.isSubset(of: .all) else {
            throw Refusal(.malformed, "a handle that is not defined: mask \(mask.rawValue)")
        }
        return mask
    }
}
