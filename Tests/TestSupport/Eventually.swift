/// Asks again and again, until there is an answer.
package func eventually<Value>(_ ask: () async throws -> Value?) async throws -> Value {
    while true {
        if let value = try await ask() { return value }
        try await Task.sleep(for: .milliseconds(20))
    }
}
