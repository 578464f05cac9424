/// What a message is.
///
/// Source: `vigil` section 7.3.
package enum MessageType: UInt8, CaseIterable, Sendable {
    case challenge = 0x01
    case request = 0x02
    case response = 0x03
    case confirmation = 0x04
    case alert = 0x05
    case revalidate = 0x06
    case revalidated = 0x07
    case provisionRequest = 0x10
    case provisionResponse = 0x11
    case rotationRequest = 0x12
    case rotationResponse = 0x13
    case evidenceRequest = 0x20
    case evidenceResponse = 0x21
    case ping = 0x30
    case pong = 0x31
    case failure = 0x7f
}

/// The side that speaks: the side that asks is the app, also if it is a validator that asks another one.
public enum Role: UInt8, Sendable {
    case app = 0x41
    case validator = 0x56
}

/// The eight bytes that every message of version 2 begins with: `VG` ‖ version ‖ type ‖ role ‖ three zero bytes.
package struct MessageHeader: Hashable, Sendable {
    package static let count = 8
    static let version: UInt8 = 2
    private static let magic: [UInt8] = [0x56, 0x47]

    package let type: MessageType
    package let role: Role

    package init(_ type: MessageType, from role: Role) {
        self.type = type
        self.role = role
    }

    /// Reads the header of a message.
    ///
    /// - Throws: ``Refusal``: `malformed`, `profileUnsupported` for another version.
    package init(of message: [UInt8]) throws(Refusal) {
        guard message.count >= Self.count else {
            throw Refusal(.malformed, "a message of \(message.count) bytes has no header")
        }
        guard message.starts(with: Self.magic) else { throw Refusal(.malformed, "the message does not begin with VG") }
        guard message[2] == Self.version else {
            throw Refusal(.profileUnsupported, "version \(message[2]) of the protocol is not spoken here")
        }
        guard let type = MessageType(rawValue: message[3]) else {
            throw Refusal(.malformed, "there is no message of type \(message[3])")
        }
        guard let role = Role(rawValue: message[4]) else { throw Refusal(.malformed, "there is no role \(message[4])") }
        guard message[5] == 0, message[6] == 0, message[7] == 0 else {
            throw Refusal(.malformed, "flags and reserved bytes of the header have to be zero")
        }
        self.init(type, from: role)
    }

    package var bytes: [UInt8] { Self.magic + [Self.version, type.rawValue, role.rawValue, 0, 0, 0] }
}
