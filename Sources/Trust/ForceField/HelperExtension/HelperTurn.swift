import ForceFieldWire

/// What is asked of a helper extension.
package struct HelperRequest: Sendable {
    let method: MethodID
    /// Bytes that the reply may have.
    let maxReply: Int
    let body: [UInt8]

    package init(_ method: MethodID, maxReply: Int, _ body: [UInt8]) {
        self.method = method
        self.maxReply = maxReply
        self.body = body
    }
}

/// A call's place in the line.
final class HelperTurn: Sendable {
    let request: HelperRequest
    let client: HelperClient
    /// What its caller is told.
    let outcome = OneShotPromise<Result<[UInt8], ForceFieldError>>()
    /// Given when the caller has looked at it: the next turn begins behind that.
    let left = OneShotPromise<Void>()

    init(_ request: HelperRequest, of client: HelperClient) {
        self.request = request
        self.client = client
    }
}
