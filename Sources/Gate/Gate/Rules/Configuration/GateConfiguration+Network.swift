internal import WebSocketFrames

// MARK: Both ends

extension SettingReader {
    mutating func listener(_ place: DeploymentEnvironment) -> GateConfiguration.Listener {
        let host = text(.bindHost, default: "127.0.0.1") ?? ""
        let port = number(.port, default: 6_200, 0...65_535)
        let isTLS =
            value(.inboundTLSMode, default: "required", expected: "required or off") { text in
                ["required", "off"].contains(text) ? text : nil
            } == "required"
        let certificate = text(.tlsCertPath)
        let key = text(.tlsKeyPath)
        let allowsTLS12 =
            value(.tlsMinVersion, default: "1.2", expected: "1.2 or 1.3") { ["1.2", "1.3"].contains($0) ? $0 : nil }
            == "1.2"
        let allowsPlainText = flag(.allowInsecureInbound)
        let clientCA = clientCAPath(place, isTLS: isTLS)
        if isTLS {
            if certificate == nil { fail(.tlsCertPath, "It is needed unless INBOUND_TLS_MODE=off.") }
            if key == nil { fail(.tlsKeyPath, "It is needed unless INBOUND_TLS_MODE=off.") }
        } else if !HostAndPort.isLoopback(host), !allowsPlainText {
            fail(
                .inboundTLSMode,
                "Without TLS on an address that others reach, ALLOW_INSECURE_INBOUND_NO_TLS=true has to say so.")
        }
        guard isTLS, let certificate, let key else {
            return GateConfiguration.Listener(host: host, port: port, tls: nil)
        }
        return GateConfiguration.Listener(
            host: host, port: port,
            tls: GateConfiguration.Listener.TLS(
                certificatePath: certificate, keyPath: key, allowsTLS12: allowsTLS12, clientCAPath: clientCA))
    }

    /// - Returns: nil where no certificate of a client counts.
    private mutating func clientCAPath(_ place: DeploymentEnvironment, isTLS: Bool) -> String? {
        let path = text(.mtlsClientCAPath)
        guard flag(.allowMTLSFallback) else { return nil }
        guard place.allowsClientCertificates else {
            warn(
                .allowMTLSFallback,
                "It has no effect in production. APP_ENV says where the gate runs; unset, that is production.")
            return nil
        }
        if path == nil { fail(.mtlsClientCAPath, "ALLOW_MTLS_FALLBACK=true needs it.") }
        if !isTLS { fail(.inboundTLSMode, "ALLOW_MTLS_FALLBACK=true needs TLS on the gate itself.") }
        return path
    }

    mutating func upstream(_ place: DeploymentEnvironment) -> GateConfiguration.UpstreamSettings {
        let address = value(
            .upstreamURL, default: Upstream.echo, shown: "",
            expected:
                """
                ws://, wss://, tcp://, tls://, telnet:// or telnets:// with a host, without a user, or unix:/path \
                of at most \(Upstream.maximumPathBytes) bytes
                """
        ) { Upstream($0) }
        if !isSet(.upstreamURL) { fail(.upstreamURL, "It is needed: the service behind the gate.") }
        if text(.upstreamURL) == "echo:", place != .test {
            fail(.upstreamURL, "echo: is for APP_ENV=test.")
        }
        return GateConfiguration.UpstreamSettings(
            address: address, caPath: text(.upstreamTLSCAPath), serverName: serverName(of: address),
            connectTimeout: duration(.upstreamConnectTimeout, default: .seconds(10)),
            preservesHost: flag(.upstreamPreserveHost), framing: choice(.clientFraming, default: .binary),
            stripsExtensions: flag(.stripExtensions))
    }

    private mutating func serverName(of upstream: Upstream) -> String? {
        let name = text(.upstreamTLSServerName)
        guard let name, let address = IPAddress(name), upstream.isTLS, case .host(let host, _) = upstream.place,
            address != IPAddress(host)
        else { return name }
        fail(
            .upstreamTLSServerName,
            """
            \(address) is not the address in UPSTREAM_URL, and TLS compares a certificate with no other. Say a name \
            that the service's certificate has, or connect to that address.
            """)
        return nil
    }

    mutating func addresses() -> ClientAddressRule {
        let trusted = list(.trustedProxies, of: "an address or a network (10.0.0.0/8)") { AddressRange($0) }
        if trusted.contains(where: \.isEverybody) {
            warn(
                .trustedProxies,
                "It trusts every address: whoever connects chooses the address that limits and logs are about.")
        }
        return ClientAddressRule(
            trusted: AddressSet(trusted), source: choice(.clientIPHeader, default: .forwardedFor))
    }

    mutating func proxyProtocol(_ addresses: ClientAddressRule) -> ProxyPreamble.Versions? {
        let text = value(.proxyProtocol, default: "off", expected: "off, v1, v2 or any") { text in
            text == "off" || ProxyPreamble.Versions(rawValue: text) != nil ? text : nil
        }
        let versions = ProxyPreamble.Versions(rawValue: text)
        if versions != nil, addresses.trusted.ranges.isEmpty {
            fail(.trustedProxies, "PROXY_PROTOCOL needs it: only a trusted proxy may send a preamble.")
        }
        return versions
    }

    mutating func admin() -> GateConfiguration.Admin {
        let place = value(
            .adminBind, default: AdminPlace.host("127.0.0.1", port: 6_201), shown: "127.0.0.1:6201",
            expected: "host:port, unix:/path or off"
        ) { AdminPlace($0) }
        if case .host(let host, _) = place, !HostAndPort.isLoopback(host) {
            fail(.adminBind, "It has to be an address of the loopback, or unix:/path.")
        }
        return GateConfiguration.Admin(place: place, tokenPath: text(.adminTokenPath))
    }
}

// MARK: Limits and times

extension SettingReader {
    mutating func frames() -> GateConfiguration.Frames {
        let frame = number(.maxFrameBytes, default: 1 << 20, 125...(1 << 40))
        let message = number(.maxMessageBytes, default: 8 << 20, 125...(1 << 40))
        if message < frame { fail(.maxMessageBytes, "It has to be at least MAX_FRAME_BYTES.") }
        return GateConfiguration.Frames(
            maximumFrameBytes: frame, maximumMessageBytes: message, validatesUTF8: flag(.validateUTF8),
            deflates: flag(.deflate), messagesPerSecond: number(.maxMessagesPerSecond, default: 0, 0...1_000_000))
    }

    mutating func connectionLimits(_ frames: GateConfiguration.Frames) -> ConnectionCaps.Limits {
        let messages = number(.maxMessagesPerSecondPerIP, default: 0, 0...1_000_000)
        if messages > 0, messages < frames.messagesPerSecond {
            fail(.maxMessagesPerSecondPerIP, "It has to be at least MAX_MESSAGES_PER_SECOND.")
        }
        return ConnectionCaps.Limits(
            total: number(.maxConnections, default: 10_000, 1...10_000_000),
            perClient: number(.maxConnectionsPerIP, default: 50, 1...10_000_000),
            perKey: number(.maxConnectionsPerKey, default: 5, 1...10_000_000), messagesPerClient: messages,
            keyShare: number(.keyShareConnections, default: 1, 0...100))
    }

    mutating func waitingLimits() -> GateConfiguration.WaitingLimits {
        let total = number(.maxWaiting, default: 1_024, 16...1_000_000)
        let perClient = number(.maxWaitingPerIP, default: 256, 1...1_000_000)
        return GateConfiguration.WaitingLimits(total: total, perClient: min(perClient, total))
    }

    mutating func heartbeat() -> GateConfiguration.Heartbeat {
        let interval = duration(.heartbeatInterval, default: .seconds(30))
        let timeout = duration(.heartbeatTimeout, default: .seconds(90))
        if timeout <= interval { fail(.heartbeatTimeout, "It has to be more than WS_HEARTBEAT_INTERVAL_MS.") }
        return GateConfiguration.Heartbeat(
            interval: interval, timeout: timeout,
            idle: duration(.idleTimeout, default: .zero, from: 0))
    }

    mutating func drain() -> DrainPlan.Settings {
        let grace = duration(.shutdownGrace, default: .seconds(3), from: 0)
        let deadline = duration(.shutdownDeadline, default: .seconds(15))
        if deadline <= grace { fail(.shutdownDeadline, "It has to be more than SHUTDOWN_GRACE_MS.") }
        let code = value(.drainCloseCode, default: 1_001, expected: "1001, 1012, 1013, or from 3000 to 4999") { text in
            ASCIIText.number(text).flatMap { [1_001, 1_012, 1_013].contains($0) || 3_000...4_999 ~= $0 ? $0 : nil }
        }
        return DrainPlan.Settings(
            grace: grace, deadline: deadline, closeCode: CloseCode(rawValue: UInt16(code)))
    }

    mutating func telnet() -> GateConfiguration.Telnet {
        let types = list(.telnetTTYPEs, of: "1 to 40 printable characters") { text in
            text.utf8.count <= 40 && text.utf8.allSatisfy { 0x20...0x7e ~= $0 } ? text : nil
        }
        return GateConfiguration.Telnet(
            terminalTypes: types.isEmpty ? ["GATE", "XTERM-256COLOR", "MTTS 141"] : types,
            sendsClientAddress: flag(.telnetSendClientIP),
            maximumSubnegotiationBytes: number(.maxSubnegotiationBytes, default: 65_536, 64...(1 << 20)))
    }

    mutating func log() -> GateConfiguration.Log {
        let level = value(.logLevel, default: GateEvent.Level.info, expected: "debug, info, warn or error") { text in
            text == "warn" ? .warning : GateEvent.Level(text)
        }
        return GateConfiguration.Log(level: level, format: choice(.logFormat, default: .json))
    }
}

extension Upstream {
    static let echo = Upstream(kind: .echo, isTLS: false, place: .nowhere, target: "/")
}
