import Foundation
import Measuring
@_spi(Benchmarks) import Signer
import Substrate
import TextForms

/// A vault with many keys, or a long log.
struct Vaults {
    let folder: URL

    func run(_ operation: String, _ sizes: [Int]) throws {
        switch operation {
        case "make":
            let signer = try GrowthBenchmark.make(in: folder, keyCount: sizes[0], entryCount: sizes[1])
            try Data(signer).write(to: signerPlace)
        case "open": report(operation, try best(budget: 500) { _ = try open() })
        case "verify-log": try measure(operation) { _ = try $0.verifyLog() }
        case "list-log": try measure(operation) { _ = try $0.log().map(\.events) }
        case "list-keys": try measure(operation) { _ = try ($0.keys(), $0.seedNames()) }
        case "propose": try measure(operation) { _ = try propose(in: $0) }
        case "sign": try measureSigning()
        default: exit(64)
        }
    }

    /// Beside the vault: the public key that signs. To look for it in the vault would read all of them.
    private var signerPlace: URL { folder.appendingPathExtension("signer") }

    private func open(for access: Vault.Access = .read) throws -> Vault {
        try GrowthBenchmark.open(folder, for: access)
    }

    /// As a command does it that does nothing else: the vault has read no keys before.
    private func measure(_ operation: String, _ work: (Vault) throws -> Void) throws {
        var cost = Cost(microseconds: .infinity)
        for _ in 0..<3 {
            let vault = try open(for: operation == "propose" ? .write : .read)
            let run = try best(rounds: 1) { try work(vault) }
            cost.bytes = max(cost.bytes, run.bytes)
            cost.microseconds = min(cost.microseconds, run.microseconds)
        }
        report(operation, cost)
    }

    private func measureSigning() throws {
        let vault = try open(for: .write)
        var cost = Cost(microseconds: .infinity)
        for _ in 0..<3 {
            var proposal = try propose(in: vault)
            let run = try best(rounds: 1) { _ = try vault.sign(&proposal, comment: "") }
            cost.bytes = max(cost.bytes, run.bytes)
            cost.microseconds = min(cost.microseconds, run.microseconds)
        }
        report("sign", cost)
    }

    /// Reads 1 WND from a key of the vault to an account of somebody else.
    private func propose(in vault: Vault) throws -> Proposal {
        let genesis = Hex.decode("e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
        let account = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48") ?? []
        let transfer: [UInt8] = [0x04, 0x03, 0] + account + [0x07, 0x00, 0x10, 0xa5, 0xd4, 0xe8]
        let extensions: [UInt8] = [0xb5, 0x01, 0xb8, 0x00, 0xa2, 0x23, 0, 0, 0x07, 0, 0, 0] + genesis
        let proposal = try vault.propose(
            [0x53, 0x01, 0x02] + Array(Data(contentsOf: signerPlace)) + [UInt8(transfer.count << 2)] + transfer
                + extensions + [UInt8](repeating: 0x53, count: 32) + genesis)
        guard proposal.answer.requests.count == 1 else { throw CocoaError(.coderInvalidValue) }
        return proposal
    }
}
