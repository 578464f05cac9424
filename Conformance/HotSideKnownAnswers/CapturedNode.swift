import Foundation
import HotSide
import SCALE
import StrictJSON
import TextForms

/// A node that answers as one of `data/signer-wire/hot/node_*.json` says, and refuses every other question.
package struct CapturedNode: NodeConnection, NodeConnecting {
    /// A question with its answer.
    package struct Call: Sendable {
        package let method: String
        package let parameters: [JSON]
        package let result: JSON

        package init(method: String, parameters: [JSON], result: JSON) {
            (self.method, self.parameters, self.result) = (method, parameters, result)
        }
    }

    /// What it answers.
    package var calls: [Call]

    package init(calls: [Call]) { self.calls = calls }

    /// - Parameters:
    ///   - calls: a list of questions with their answers.
    ///   - bytes: gives the content of a file that an answer names.
    package init(calls: JSON, bytesOf bytes: (String) throws -> [UInt8]) throws {
        self.calls = try (calls.array ?? []).map { call in
            guard let method = call["method"]?.string, let parameters = call["params"]?.array else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return Call(method: method, parameters: parameters, result: try Self.result(of: call, bytesOf: bytes))
        }
    }

    private static func result(of call: JSON, bytesOf bytes: (String) throws -> [UInt8]) throws -> JSON {
        if let result = call["result"] { return result }
        guard let file = call["result_file"]?.string else { throw CocoaError(.fileReadCorruptFile) }
        let blob = try bytes(file)
        guard call["method"]?.string == "state_call" else { return .string("0x" + Hex.encode(blob)) }
        var option = ScaleEncoder()
        option.option(blob) { $0.byteSequence($1) }
        return .string("0x" + Hex.encode(option.bytes))
    }

    package func call(_ method: String, _ parameters: [JSON]) async throws -> JSON {
        guard let result = result(method, parameters) else {
            throw NodeError.refused(method: method, code: Self.unknownMethod, message: "Method not found")
        }
        return result
    }

    private func result(_ method: String, _ parameters: [JSON]) -> JSON? {
        var parameters = parameters
        if method == "state_call" {
            // Runtimes were asked at the newest block, which the files do not repeat.
            let newest = calls.first { $0.method == "chain_getBlockHash" && $0.parameters.isEmpty }
            guard let newest, parameters.popLast() == newest.result else { return nil }
        }
        return calls.first { $0.method == method && $0.parameters == parameters }?.result
    }

    package func notification(of subscription: JSON) async throws -> JSON? { nil }

    package func withNode<R: Sendable>(
        at url: NodeURL, _ body: @Sendable (any NodeConnection) async throws -> R
    ) async throws -> R { try await body(self) }

    private static let unknownMethod = -32_601

    /// The text that a node on the network sends back for a question.
    package func answer(to question: [UInt8]) -> [UInt8] {
        guard let question = try? JSONReader().read(question), let id = question["id"],
            let method = question["method"]?.string, let parameters = question["params"]?.array
        else { return [] }
        let error: JSON = .object([
            .init(name: "code", value: .integer(Self.unknownMethod)),
            .init(name: "message", value: .string("Method not found")),
        ])
        return JSON.object([
            .init(name: "jsonrpc", value: .string("2.0")), .init(name: "id", value: id),
            result(method, parameters).map { .init(name: "result", value: $0) } ?? .init(name: "error", value: error),
        ]).utf8()
    }
}
