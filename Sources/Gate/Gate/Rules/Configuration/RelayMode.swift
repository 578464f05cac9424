/// How what passes between a client and a WebSocket upstream is looked at.
///
/// Source: `appattest-gate` section 4.6.
package enum RelayMode: String, Sendable, CaseIterable {
    /// Every frame is followed and judged.
    case frames
    /// Nothing behind the handshakes is read: weaker, and cheaper.
    case bytes

    /// What an operator is told of a mode that is weaker than the usual one.
    var notices: [ConfigurationProblem] {
        switch self {
        case .frames: []
        case .bytes:
            [
                ConfigurationProblem(
                    .relayMode,
                    text: """
                        bytes: frames pass unread. There are no rules for frames, no limits on frames, messages and \
                        their rate, no check of UTF-8, no pings and no close frames of the gate, which ends TCP \
                        connections instead.
                        """)
            ]
        }
    }
}

extension SettingReader {
    /// Reads the mode, and refuses everything beside it that needs frames to be read.
    mutating func relayMode(
        to upstream: Upstream, frames: GateConfiguration.Frames, limits: ConnectionCaps.Limits
    ) -> RelayMode {
        let mode = choice(.relayMode, default: RelayMode.frames)
        guard mode == .bytes else { return mode }
        if upstream.kind != .webSocket {
            fail(
                .relayMode,
                """
                bytes is for a WebSocket service (ws://, wss:// or unix:/path); in front of others the gate reads \
                frames.
                """
            )
        }
        let needed: [(name: SettingName, isInUse: Bool)] = [
            (.maxFrameBytes, isSet(.maxFrameBytes)), (.maxMessageBytes, isSet(.maxMessageBytes)),
            (.maxMessagesPerSecond, frames.messagesPerSecond > 0),
            (.maxMessagesPerSecondPerIP, limits.messagesPerClient > 0),
            (.validateUTF8, frames.validatesUTF8), (.deflate, frames.deflates),
            (.heartbeatInterval, isSet(.heartbeatInterval)), (.heartbeatTimeout, isSet(.heartbeatTimeout)),
            (.drainCloseCode, isSet(.drainCloseCode)),
        ]
        for setting in needed where setting.isInUse {
            fail(
                setting.name,
                "It needs frames to be read, and RELAY_MODE=bytes reads none. Take it out, or set RELAY_MODE=frames.")
        }
        return mode
    }
}
