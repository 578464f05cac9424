#if os(Linux)
    import NIOSSL
    import TestSupport
    import Testing

    @testable import Gate

    /// What an end, or somebody on the way, does to TLS on the gate's own threads, beside what it does to connections.
    @Suite("TLS on the gate's threads", .timeLimit(.minutes(30)))
    struct SocketTLSTests {
        private let files: TemporaryFolder
        private let services: Certificates

        init() throws {
            files = try TemporaryFolder()
            services = try Certificates("Service Authority")
        }

        /// Both ends of a connection that is encrypted on either side.
        private struct Scene {
            let site: ServerSite
            let client: RawClient
            let service: RawClient

            /// The end of a side, and the other one.
            func ends(_ side: CloseSide) -> (RawClient, RawClient) {
                side == .client ? (client, service) : (service, client)
            }

            /// Expects that the metrics tell which side ended it, and whether a service was lost.
            func expectLoss(of side: CloseSide) {
                #expect(site.server.gate.metrics.closes.value(side, nil) == 1)
                #expect(site.server.gate.metrics.upstreamErrors.value(.lost) == (side == .upstream ? 1 : 0))
            }
        }

        private func serviceTLS(_ hosts: [String] = ["service.test"]) throws -> TLSConfiguration {
            let own = try services.issue("service.test", hosts: hosts)
            return TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(own.certificate.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(own.key.utf8), format: .pem)))
        }

        private func site(
            before upstream: RawServer, _ changes: [String: String] = [:], on place: RelayPlace = .encryptedThread
        ) async throws -> ServerSite {
            let settings = [
                "REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "wss://127.0.0.1:\(upstream.port)",
                "UPSTREAM_TLS_SERVER_NAME": "service.test",
                "UPSTREAM_TLS_CA_PATH": try files.write(services.authorityPEM, to: "services.pem"),
            ]
            return try await ServerSite(
                settings.merging(changes) { $1 }, without: ["WS_HEARTBEAT_INTERVAL_MS", "WS_HEARTBEAT_TIMEOUT_MS"],
                before: upstream, place: place)
        }

        private func scene(_ mode: RelayMode, on place: RelayPlace = .encryptedThread) async throws -> Scene {
            let upstream = try await RawServer.start(tls: serviceTLS())
            let site = try await site(before: upstream, ["RELAY_MODE": mode.rawValue], on: place)
            async let opening = site.webSocket()
            let service = try await upstream.next()
            try await UpstreamEnd.open(service)
            return Scene(site: site, client: try await opening, service: service)
        }

        /// A record of TLS 1.3 with data that no key has sealed.
        private static let forged: [UInt8] = [23, 3, 3, 0, 32] + [UInt8](repeating: 7, count: 32)

        @Test("bytes pass both ways between two ends that are encrypted", arguments: RelayMode.allCases)
        func both(_ mode: RelayMode) async throws {
            let scene = try await scene(mode)
            let payload = [UInt8](repeating: 5, count: 1 << 19)
            let (up, down) = (RawClient.frame(0x82, payload), RawClient.frame(0x82, payload, key: nil))
            async let sentUp: Void = scene.client.send(up)
            async let sentDown: Void = scene.service.send(down)
            async let gotUp = scene.service.read(count: up.count)
            #expect(try await scene.client.read(count: down.count) == down)
            #expect(try await gotUp == up)
            _ = try await (sentUp, sentDown)
        }

        @Test(
            "an end whose record was forged on the way is cut, and the other told",
            arguments: RelayMode.allCases, [CloseSide.client, .upstream])
        func forged(_ mode: RelayMode, by side: CloseSide) async throws {
            let scene = try await scene(mode)
            let (cut, told) = scene.ends(side)
            try await cut.sendBelowTLS(Self.forged)
            if mode == .frames {
                #expect(try await told.readMessage().closeCode == (side == .client ? 1001 : 1011))
            } else {
                #expect(await told.rest().isEmpty)
            }
            if side == .client { #expect(await cut.rest().isEmpty) }
            told.close()
            _ = await scene.site.events.first(.closed)
            scene.expectLoss(of: side)
        }

        @Test("an end that goes without the last word of TLS has gone", arguments: RelayMode.allCases)
        func withoutLastWord(_ mode: RelayMode) async throws {
            let scene = try await scene(mode)
            try await scene.client.send(RawClient.frame(0x82, [1]))
            #expect(try await scene.service.readMessage().payload == [1])
            try await scene.client.closeBelowTLS()
            if mode == .frames { #expect(try await scene.service.readMessage().closeCode == 1001) }
            if mode == .bytes { #expect(await scene.service.rest().isEmpty) }
            scene.service.close()
            _ = await scene.site.events.first(.closed)
            #expect(scene.site.server.connections.count == 0 && scene.site.server.gate.caps.total == 0)
        }

        @Test(
            "an end that is cut off is not taken for one that has said all",
            arguments: RelayPlace.allCases.map { ($0, CloseSide.upstream) } + [(.encryptedThread, .client)])
        func truncated(_ place: RelayPlace, _ side: CloseSide) async throws {
            let scene = try await scene(.bytes, on: place)
            let (cut, told) = scene.ends(side)
            try await cut.send([1])
            #expect(try await told.read(count: 1) == [1])
            try await cut.closeBelowTLS()
            #expect(await told.rest().isEmpty)
            #expect(told.isBroken)
            _ = await scene.site.events.first(.closed)
            scene.expectLoss(of: side)
        }

        @Test("a service that says the last word of TLS has said all", arguments: RelayPlace.allCases)
        func orderlyService(_ place: RelayPlace) async throws {
            let scene = try await scene(.bytes, on: place)
            try await scene.service.send([1])
            scene.service.close()
            #expect(await scene.client.rest() == [1])
            #expect(!scene.client.isBroken)
            scene.client.close()
            _ = await scene.site.events.first(.closed)
            #expect(scene.site.server.gate.metrics.closes.value(.upstream, nil) == 1)
            #expect(scene.site.server.gate.metrics.upstreamErrors.value(.lost) == 0)
        }

        @Test(
            "what is no greeting of TLS ends a connection",
            arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\0\0"])
        func noTLS(_ bytes: String) async throws {
            let site = try await site(
                before: RawServer.start(tls: serviceTLS()), ["TLS_HANDSHAKE_TIMEOUT_MS": "1000"])
            let client = try await RawClient.connect(port: site.port, preamble: Array(bytes.utf8))
            // An alert is all that is said, and nothing in the clear.
            let answer = await client.rest()
            #expect(answer.isEmpty || answer.first == 21)
        }

        @Test("a service that has the certificate of another hears nothing, and one without TLS nothing either")
        func otherService() async throws {
            let other = try await RawServer.start(tls: serviceTLS(["other.test"]))
            let first = try await site(before: other)
            async let refused = first.request("GET", "/", RawClient.handshake)
            let end = try await other.next()
            #expect(await end.rest().isEmpty)
            #expect(try await refused.code == "upstream_unreachable")
            #expect(first.server.gate.metrics.upstreamErrors.value(.tls) == 1)
            let plain = try await RawServer.start()
            let second = try await site(before: plain)
            async let answer = second.request("GET", "/", RawClient.handshake)
            let greeted = try await plain.next()
            try await greeted.send("HTTP/1.1 101 Switching Protocols\r\n\r\n")
            #expect(try await answer.code == "upstream_unreachable")
            #expect(second.server.gate.metrics.upstreamErrors.value(.tls) == 1)
        }

        @Test("a service that does not end its handshake of TLS is given up")
        func silentService() async throws {
            let upstream = try await RawServer.start()
            let site = try await site(before: upstream, ["UPSTREAM_CONNECT_TIMEOUT_MS": "200"])
            #expect(try await site.request("GET", "/", RawClient.handshake).code == "upstream_timeout")
            #expect(site.server.gate.metrics.upstreamErrors.value(.timeout) == 1)
        }
    }
#endif
