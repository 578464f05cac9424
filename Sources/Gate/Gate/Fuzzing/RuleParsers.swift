internal import NIOHTTP1

/// The parsers of the rules, for the fuzzer and its kin among the tests.
enum RuleParsers {
    /// Reads them as lines of `Name: value` behind a request line, through everything that judges a head.
    static func head(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let words = (lines.first ?? "").split(separator: " ")
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (name: String(parts[0]), value: parts.count == 2 ? String(parts[1]) : "")
        }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: words.first.map { String($0) } ?? ""),
            uri: words.dropFirst().first.map { String($0) } ?? "",
            headers: HTTPHeaders(fields.map { ($0.name, $0.value) }))
        let paths = PathRule(allowed: [.prefix("/chat/"), .exact("/")])
        _ = Router(hasAttestation: true, forwardAuthPath: "/attest/verify", paths: paths).route(head)
        _ = try? WebSocketHandshake(head)
        _ = try? AssertionHeaders(head.headers)
        _ = AssertionHeaders.claimedKey(head.headers)
        _ = try? RegisterRequest.check(head)
        _ = try? AdminAuthoriser(.everyone).action(head)
        _ = OriginRule(allowed: Set([Origin("https://a.example")].compactMap { $0 })).allows(head.headers)
        let proxies = AddressSet([AddressRange("10.0.0.0/8"), AddressRange("::/0")].compactMap { $0 })
        for source in ClientAddressRule.Source.allCases {
            _ = ClientAddressRule(trusted: proxies, source: source)
                .client(peer: IPAddress(v4: 0x0a00_0001), headers: head.headers)
        }
        for field in fields { precondition(SafeText(field.value).description.utf8.count <= SafeText.maximumBytes) }
    }

    /// Reads them as the beginning of a connection, whole and byte by byte.
    ///
    /// - Returns: whether both come to the same.
    static func preamble(_ bytes: [UInt8]) -> Bool {
        let expectations: [ProxyPreamble.Expectation] = [.required(.any), .required(.v1), .forbidden]
        return expectations.allSatisfy { expectation in
            Self.outcome(expectation, bytes, piece: max(1, bytes.count)) == Self.outcome(expectation, bytes, piece: 1)
        }
    }

    /// - Returns: nil where more bytes are awaited.
    static func outcome(
        _ expectation: ProxyPreamble.Expectation, _ bytes: [UInt8], piece: Int
    ) -> Result<ProxyPreamble.Progress, ProxyPreambleError>? {
        var preamble = ProxyPreamble(expectation)
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(ProxyPreambleError) {
                let progress = try preamble.feed(rest.prefix(piece))
                guard progress == .incomplete else { return .success(progress) }
            } catch {
                return .failure(error)
            }
            rest = rest.dropFirst(piece)
        }
        return nil
    }

    /// Reads them as a file of settings, and what is in it as a configuration.
    static func settings(_ bytes: [UInt8]) {
        guard let file = try? SettingFile(bytes) else { return }
        _ = try? GateConfiguration(SettingSources(file: file.values, environment: [:]))
    }
}
