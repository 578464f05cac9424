/// What a peer did that the protocol forbids. The raw values are stable identifiers, which programs print and known
/// answers name.
///
/// Source: `forcefield` section 14.
public enum ProtocolViolation: String, Error, CaseIterable, Sendable {
    case badHeader, badType, badFlags, unexpectedDescriptors, frameTooLarge
    case badState, unknownRequest, badPayload, badStream
    case capabilityDenied, tooManyHostCalls
    case truncated, stalled, channelClosed

    /// What only a process that goes on can be blamed for.
    package var needsLivingPeer: Bool { self == .stalled || self == .channelClosed }
}

extension ProtocolViolation: CustomStringConvertible {
    /// What the peer did, as a part of a sentence.
    public var description: String {
        switch self {
        case .badHeader: "a frame's header is damaged, or a field that has to be zero is not"
        case .badType: "a frame of an unknown type, or of one that the other side sends"
        case .badFlags: "flags that the frame's type does not have"
        case .unexpectedDescriptors: "descriptors came along that nobody asked for"
        case .frameTooLarge: "a frame claims more bytes than its limit"
        case .badState: "a frame that may not come now"
        case .unknownRequest: "a frame of a call that is not open"
        case .badPayload: "a payload that is not of its type's form"
        case .badStream: "a stream's item out of sequence, or without credit"
        case .capabilityDenied: "a host call that was not granted"
        case .tooManyHostCalls: "more than \(FrameLimits.hostCalls) host calls at a time"
        case .truncated: "the channel ended inside a frame"
        case .stalled: "a frame was begun and not finished in time"
        case .channelClosed: "the channel was closed by a process that runs on"
        }
    }
}

/// Why one side ends a conversation.
package enum ChannelFault: Error, Hashable, Sendable {
    case violation(ProtocolViolation)
    /// The peer speaks another major version of FF1.
    case versionMismatch(found: UInt32)
    /// The peer was built with other methods.
    case interfaceMismatch(found: UInt64)
}
