import Foundation
import SecretMemory
import Signer
import TestSupport
import Testing
import TextForms

@testable import SignerCore

/// Recorded flows against a core with a vault, step by step.
@Suite("The core's flows")
struct FlowTests {
    static let folder = "signer-product/navigator"

    private func replay(_ runner: inout FlowRunner, _ steps: [FlowStep]) throws {
        for step in steps {
            let outcome = try runner.run(step)
            let action = step.action ?? step.call ?? ""
            #expect(outcome.differences == [], "step \(step.n) \(action)")
            guard outcome.differences.isEmpty else { return }
            let breaches = try runner.core.breaches()
            #expect(breaches == [], "step \(step.n) \(action)")
        }
    }

    static func originalBundle() throws -> NetworkBundle {
        let metadata = try ["polkadot9140", "kusama9130", "westend9150"].map { name in
            try #require(Hex.decode(try text("initial-metadata/\(name).hex")))
        }
        let types = try #require(Hex.decode(try text("payloads/load_types_Alice-sr25519.txt")))
        return try FlowStart.original(metadata: metadata, types: types)
    }

    private static func text(_ path: String) throws -> String {
        String(decoding: try SharedData.bytes("\(folder)/\(path)"), as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test("the original's flow of 254 steps", .enabled(if: SharedData.has("signer-product/navigator/flow.json")))
    func original() throws {
        let steps = try FlowStep.steps(SharedData.bytes("\(Self.folder)/flow.json"))
        #expect(steps.count == 254)
        let host = try MemoryHost(Self.originalBundle())
        var runner = FlowRunner(host: host, files: { try Self.text("payloads/\($0)") })
        try replay(&runner, steps)
    }

    @Test("our own flow of 63 steps through set-up, shares, contacts, dangers, the lock and the wipe")
    func extensions() throws {
        let file = packageRoot.appending(path: "Tests/Signer/NavigatorTests/Fixtures/flow-ext.json")
        let steps = try FlowStep.steps(Array(Data(contentsOf: file)))
        #expect(steps.count == 63)
        let host = try MemoryHost(.shipped(), isOnboarded: false, confirmsDangers: true)
        var runner = FlowRunner(host: host, files: { $0 }, shares: try KnownShares.sets())
        try replay(&runner, steps)
    }

    @Test("texts are made one of several, and one in the other is refused at once, however often")
    func concatenation() throws {
        func steps(_ data: String) throws -> [FlowStep] {
            let step: [String: Any] = ["n": 1, "action": "Start", "data": data]
            return try FlowStep.steps(Array(JSONSerialization.data(withJSONObject: [step])))
        }
        func run(_ data: String) throws -> FlowRunner.Outcome {
            var runner = FlowRunner(host: try MemoryHost(.shipped()), files: { $0 })
            let step = try #require(steps(data).first)
            return try runner.run(step)
        }
        #expect(try run("$concat:$file:a+b").result?.position.screen == .seedSelector)
        let nested = String(repeating: "$concat:", count: 100_000) + "a"
        #expect(throws: FlowRunner.Fault.self) { try run(nested) }
    }
}
