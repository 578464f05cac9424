#if os(Linux)
    import Files
    import ForceFieldWire
    import Glibc

    /// Connects for workers, to listed places only.
    ///
    /// A name in the list never leads into the host's own networks: the server that answers for the name could choose
    /// any address. A place that is listed by its address in numbers may be anywhere.
    ///
    /// Source: `forcefield` section 15.
    struct NetworkBroker: Sendable {
        let endpoints: [Capability.Endpoint]
        /// How long a connection to one address may take to be made.
        private static let connectTime = Duration.seconds(10)
        private static let threads = ConnectThreads(limit: 32)

        func register(in services: inout HostServices) {
            services.handleWithDescriptors(NetworkCalls.connect) { request in
                let connected = try await Self.threads.run { () throws(BrokerRefusal) in try connect(request) }
                return (ConnectAnswer(address: connected.address), [OutgoingDescriptor(brokered: connected.socket)])
            }
        }

        private struct Connection: Sendable {
            let socket: OpenFile
            let address: String
        }

        /// The place of the list itself: what the worker wrote, which may only be read as the same, goes to no
        /// resolver.
        func listed(_ request: ConnectRequest) -> Capability.Endpoint? {
            endpoints.first { $0.port == request.port && Self.folded($0.host) == Self.folded(request.host) }
        }

        /// A name in the form in which names are compared: only the letters A to Z have two cases in names.
        private static func folded(_ name: String) -> [UInt8] {
            name.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        }

        private func connect(_ request: ConnectRequest) throws(BrokerRefusal) -> Connection {
            guard let place = listed(request) else { throw BrokerRefusal(.badRequest, "the place is not listed") }
            var reason = BrokerRefusal(.handlerFailed, "the name has no address")
            for address in SocketAddress.resolve(place.host, port: place.port) {
                guard address.isPublic || SocketAddress.isNumeric(place.host) else {
                    reason = BrokerRefusal(.badRequest, "the name leads into a private network")
                    continue
                }
                if let socket = address.connect(within: Self.connectTime) {
                    return Connection(socket: socket, address: address.text)
                }
                reason = BrokerRefusal(.handlerFailed, "the place does not answer")
            }
            throw reason
        }
    }
#endif
