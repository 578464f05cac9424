import Foundation
import Measuring
import MetadataDescriptions
import SCALE
@_spi(Benchmarks) import Signer
import Substrate
import TextForms

// usage: bench-wire FOLDER   (metadata blobs, NAME.scale)
// Prints JSON lines {"op", "file", "us", "kB"}: the best of many runs, in microseconds of processor time of this process,
// and the memory that it took.

guard CommandLine.arguments.count == 2 else {
    print("usage: bench-wire FOLDER")
    exit(64)
}
let folder = URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory)

let network = NetworkSpecs(
    base58Prefix: 42, color: "#000", decimals: 10, scheme: .sr25519,
    genesisHash: Hash256([UInt8](repeating: 0, count: 32))!, logo: "", name: "bench", pathID: "//bench",
    secondaryColor: "#000", title: "Bench", unit: "UNIT")

let account = Hex.decode("8eaf04151687736326c9fea17e25fc5287613693c912909cb226aa4794f26a48") ?? []

/// Two bytes each: pallet index, call index.
let sets: [(name: String, transfer: [UInt8], batch: [UInt8])] = [
    ("polkadot_v15", [0x05, 0x03], [0x1a, 0x02]), ("polkadot9220", [0x05, 0x03], [0x1a, 0x02]),
    ("westend9122", [0x04, 0x03], [0x10, 0x02]), ("statemint2000000_v15", [0x0a, 0x03], [0x28, 0x02]),
]

for set in sets {
    let blob = [UInt8](try Data(contentsOf: folder.appending(path: "\(set.name).scale")))
    report("metadata_full", set.name, try best(rounds: 15, repeats: 3) { _ = try FullMetadata(blob) })
    report("metadata_index", set.name, try best(rounds: 15, repeats: 10) { _ = try RuntimeMetadata(blob) })
    let decoder = TransactionDecoder(metadata: try RuntimeMetadata(blob), network: network)
    let transfer = set.transfer + [0] + account + [0x07, 0x00, 0x10, 0xa5, 0xd4, 0xe8]
    report("transfer", set.name, try best(rounds: 15, repeats: 200) { _ = try decoder.decodeCall(transfer) })
    let batch = set.batch + [0x91, 0x01] + Array(repeatElement(transfer, count: 100).joined())
    report("batch_of_100", set.name, try best(rounds: 15, repeats: 10) { _ = try decoder.decodeCall(batch) })
    // What reading a batch costs more when it is also flattened and judged.
    let call = try decoder.readCall(batch)
    report(
        "effects_and_rules_of_100", set.name,
        try best(rounds: 15, repeats: 50) { _ = try RiskBenchmark.assess(call, network: network) })
    guard blob[4] >= 15 else { continue }
    report(
        "metadata_hash", set.name,
        try best(rounds: 15, repeats: 3) { _ = try MerkleizedMetadata(RuntimeMetadata(blob)).typesTreeRoot })
}

let newest = [UInt8](try Data(contentsOf: folder.appending(path: "polkadot2003000_v16.scale")))
report("metadata_full", "polkadot2003000_v16", try best(rounds: 15, repeats: 3) { _ = try FullMetadata(newest) })
report("metadata_index", "polkadot2003000_v16", try best(rounds: 15, repeats: 10) { _ = try RuntimeMetadata(newest) })

let proof = [UInt8](
    try Data(contentsOf: folder.appending(path: "../rfc78/kusama_transfer_metadata_proof.bin")))
report(
    "proof_verify", "kusama_transfer", try best(rounds: 15, repeats: 50) { _ = try MetadataProof(proof).digest().hash })

let vault = FileManager.default.temporaryDirectory.appending(path: "bench-wire-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: vault) }
try OpeningBenchmark.make(in: vault, entryCount: 10_000)
report("vault_opened", "log_of_10000", try best(rounds: 5, repeats: 3) { try OpeningBenchmark.open(vault) })
report("log_verified", "log_of_10000", try best(rounds: 5, repeats: 1) { try OpeningBenchmark.verify(vault) })

// Metadata as a film has brought them, until they are stored; each time they are taken out again first.
let taking = FileManager.default.temporaryDirectory.appending(path: "bench-wire-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: taking) }
let fresh = [UInt8](try Data(contentsOf: folder.appending(path: "polkadot_v15.scale")))
let update = try UpdateBenchmark.make(in: taking, metadata: fresh)
var fastest = Cost(microseconds: .infinity)
for _ in 0..<5 {
    fastest.bytes = try peakMemory {
        let time = try ContinuousClock().measure { try UpdateBenchmark.take(update, in: taking) }
        fastest.microseconds = min(fastest.microseconds, time / .microseconds(1))
    }
    try UpdateBenchmark.forget(in: taking)
}
report("metadata_update_stored", "polkadot_v15", fastest)

// A bulk of 512 transfers, 1 WND each, by one of 2,500 keys; metadata of Westend 9122 are shipped.
let author = Hex.decode("d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d") ?? []
let genesis = Hex.decode("e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e") ?? []
let transferOfOne: [UInt8] = [0x04, 0x03, 0] + account + [0x07, 0x00, 0x10, 0xa5, 0xd4, 0xe8]
let extensions: [UInt8] = [0xb5, 0x01, 0xb8, 0x00, 0xa2, 0x23, 0, 0, 0x07, 0, 0, 0] + genesis
let member =
    [0x01, 0x02] + author + [UInt8(transferOfOne.count << 2)] + transferOfOne + extensions
    + [UInt8](repeating: 0x53, count: 32) + genesis
var bulk = ScaleEncoder()
bulk.sequence(Array(repeating: member, count: 512)) { $0.byteSequence($1) }
let busyVault = FileManager.default.temporaryDirectory.appending(path: "bench-wire-\(UUID().uuidString)")
defer { try? FileManager.default.removeItem(at: busyVault) }
try BulkBenchmark.make(in: busyVault, keyCount: 2500, signer: author)
report(
    "bulk_proposed", "512_in_vault_of_2500",
    try best(rounds: 5, repeats: 1) {
        let count = try BulkBenchmark.propose([0x53, 0xff, 0x04, 0x00] + bulk.bytes, in: busyVault)
        guard count == 512 else { throw CocoaError(.coderInvalidValue) }
    })
