#if os(Linux)
    import Files
    import ForceFieldWire

    /// What a host does for its workers when they ask. Each call needs a grant in the policy, too.
    ///
    ///     var services = HostServices()
    ///     services.handle(Fonts.glyph) { request in try fonts.glyph(request) }
    ///
    /// A handler treats its request as what it is: bytes from outside. It runs in a task of its own.
    ///
    /// Source: `forcefield` section 15.
    public struct HostServices: Sendable {
        private(set) var handlers: [MethodID: @Sendable ([UInt8]) async throws -> BrokerAnswer] = [:]
        /// Names of the handlers' methods.
        package private(set) var names: [String] = []

        /// Serves nothing yet.
        public init() {}

        /// - Parameter handler: its error is told to the worker as text, cut at 1,024 bytes: it must not hold secrets.
        public mutating func handle<Request, Response>(
            _ method: Method<Request, Response>, _ handler: @escaping @Sendable (Request) async throws -> Response
        ) {
            handleWithDescriptors(method) { request in (try await handler(request), []) }
        }

        /// Serves a method whose answers also pass descriptors, which the policy has to grant.
        public mutating func handleWithDescriptors<Request, Response>(
            _ method: Method<Request, Response>,
            _ handler: @escaping @Sendable (Request) async throws -> (Response, [OutgoingDescriptor])
        ) {
            let isRaw = method.isRaw
            add(method.name) { body in
                let request: Request
                do throws(CodecError) { request = try MethodBody.decode(body, raw: isRaw) } catch {
                    throw BrokerRefusal(.badRequest, "the request is not of its method's type")
                }
                let (response, descriptors) = try await handler(request)
                return BrokerAnswer(
                    body: try MethodBody.encode(response, raw: isRaw), descriptors: descriptors.map(\.copy))
            }
        }

        mutating func add(_ name: String, _ handler: @escaping @Sendable ([UInt8]) async throws -> BrokerAnswer) {
            handlers[MethodID(name: name)] = handler
            names.append(name)
        }

        /// - Parameter descriptorLimit: descriptors that may ride on an answer.
        func answer(
            _ capability: MethodID, _ body: [UInt8], descriptorLimit: Int
        ) async -> Result<BrokerAnswer, BrokerRefusal> {
            guard let handler = handlers[capability] else {
                return .failure(BrokerRefusal(.unknownMethod, "the host does not serve it"))
            }
            do {
                let answer = try await handler(body)
                guard answer.descriptors.count <= descriptorLimit else {
                    return .failure(BrokerRefusal(.handlerFailed, "the policy grants fewer descriptors"))
                }
                return .success(answer)
            } catch let refusal as BrokerRefusal {
                return .failure(refusal)
            } catch {
                return .failure(BrokerRefusal(.handlerFailed, "\(error)"))
            }
        }
    }

    /// What a host call is answered with.
    struct BrokerAnswer: Sendable {
        var body: [UInt8]
        var descriptors: [OpenFile] = []
    }

    /// Why a host call is refused. The text goes to the worker.
    struct BrokerRefusal: Error {
        let code: WorkerErrorCode
        let text: String

        init(_ code: WorkerErrorCode, _ text: String) {
            self.code = code
            self.text = text
        }
    }
#endif
