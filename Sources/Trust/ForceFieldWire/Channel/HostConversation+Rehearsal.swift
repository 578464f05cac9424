extension HostConversation {
    /// Reads a made-up welcome and request, and answers into nothing.
    package static func rehearse(_ hello: Hello) {
        var conversation = HostConversation(hello)
        let welcome = Welcome(
            interfaceHash: hello.interfaceHash, maxFrame: hello.maxFrame, maxInFlight: hello.maxInFlight)
        let bytes = Frame.welcome(welcome).bytes + Frame.request(1, MethodID(rawValue: 0), []).bytes
        _ = conversation.fill(at: .now) { space in
            let count = min(space.count, bytes.count)
            space.copyBytes(from: bytes.prefix(count))
            return count
        }
        while let event = try? conversation.next() {
            if case .request(let request) = event { _ = conversation.response(request.id, request.body) }
        }
    }
}
