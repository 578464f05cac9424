extension WorkerSideConversation {
    /// Reads a made-up welcome and request, and answers into nothing.
    package static func warmUp(_ hello: Hello) {
        var conversation = WorkerSideConversation(hello)
        let welcome = Welcome(
            interfaceHash: hello.interfaceHash, maxFrame: hello.maxFrame, maxInFlight: hello.maxInFlight)
        let bytes = Frame.welcome(welcome).bytes + Frame.request(1, MethodID(rawValue: 0), body: []).bytes
        _ = conversation.fill(at: .now) { space in
            let count = min(space.count, bytes.count)
            space.copyBytes(from: bytes.prefix(count))
            return count
        }
        while let message = try? conversation.next() {
            if case .request(let request) = message { _ = conversation.response(request.id, request.body) }
        }
    }
}
