@_spi(Fuzzing) import Gate

extension FuzzTarget {
    static let gateHead = FuzzTarget(
        name: "gate-head",
        seeds: [
            """
            GET /chat/ HTTP/1.1
            Host:gate.example
            Connection:Upgrade
            Upgrade:websocket
            Sec-WebSocket-Version:13
            Sec-WebSocket-Key:dGhlIHNhbXBsZSBub25jZQ==
            X-App-Assert-KeyId:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
            X-App-Assert-Data:omlz
            X-App-Assert-Nonce:0000000000000000000000000000000000000000000000000000000000000000
            """,
            """
            GET /admin/keys?cursor=&limit=7 HTTP/1.1
            Host:a
            Origin:https://a.example:443/
            X-Forwarded-For:1.2.3.4:5, [2001:db8::1]:443, 10.0.0.2
            X-Real-IP:::ffff:1.2.3.4
            Forwarded:for="[2001:db8::1]:47";proto=https, for=_hidden;by=10.0.0.1
            """,
        ].map { Array($0.utf8) }
    ) { bytes in
        precondition(GateParser.rules.holds(for: bytes))
    }

    static let proxyPreamble = FuzzTarget(
        name: "proxy-preamble",
        seeds: [
            Array("PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\nGET /".utf8), Array("PROXY UNKNOWN\r\n".utf8),
            [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a, 0x21, 0x11, 0, 12]
                + [192, 0, 2, 1, 192, 0, 2, 2, 0xdc, 4, 1, 0xbb],
        ]
    ) { bytes in
        precondition(GateParser.proxyPreamble.holds(for: bytes))
    }

    static let registerBody = FuzzTarget(
        name: "register-body",
        seeds: [
            Array(
                #"{"keyId":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","attestation":"o2M=","clientData":"00"}"#.utf8
            )
        ]
    ) { bytes in
        precondition(GateParser.registration.holds(for: bytes))
    }

    static let deviceAnswer = FuzzTarget(
        name: "device-answer",
        seeds: [
            Array(#"{"bit0":true,"bit1":false,"last_update_time":"2026-02"}"#.utf8),
            Array("Failed to find bit state".utf8),
        ]
    ) { bytes in
        precondition(GateParser.deviceAnswer.holds(for: bytes))
    }

    static let gateSettings = FuzzTarget(
        name: "gate-settings",
        seeds: [
            """
            # A gate
            APPATTEST_BUNDLE_ID=com.example.gate
            APPATTEST_TEAM_ID=TESTTEAM01
            UPSTREAM_URL="wss://[2001:db8::1]:443/chat?x=1"
            ALLOWED_ORIGINS=https://a.example, https://b.example:8443
            TRUSTED_PROXY_CIDRS=10.0.0.0/8,2001:db8::/32
            CHALLENGE_RATE=30/60s
            """
        ].map { Array($0.utf8) }
    ) { bytes in
        precondition(GateParser.settings.holds(for: bytes))
    }
}
