// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that no user of a library pulls it in. `make bench` at the root runs it beside the peers.
let package = Package(
    name: "casemate-benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "casemate", path: ".."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    ],
    targets: [
        .systemLibrary(name: "CMeasuring"),
        .target(name: "Measuring", dependencies: ["CMeasuring"]),
        .executableTarget(
            name: "bench-scale",
            dependencies: [
                "CMeasuring", "Measuring", .product(name: "Airgap", package: "casemate"),
                .product(name: "MainKey", package: "casemate"),
                .product(name: "Signer", package: "casemate"), .product(name: "Substrate", package: "casemate"),
                .product(name: "TextForms", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-crypto",
            dependencies: [
                "Measuring",
                .product(name: "Sr25519", package: "casemate"), .product(name: "SecretMemory", package: "casemate"),
                .product(name: "Substrate", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-mainkey",
            dependencies: [
                "Measuring",
                .product(name: "MainKey", package: "casemate"), .product(name: "MainKeyGRDB", package: "casemate"),
                .product(name: "SecretMemory", package: "casemate"), .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .executableTarget(
            name: "bench-qr",
            dependencies: [
                "Measuring",
                .product(name: "QRCode", package: "casemate"), .product(name: "Pictures", package: "casemate"),
                .product(name: "ZXingReader", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-wire",
            dependencies: [
                "Measuring",
                .product(name: "SCALE", package: "casemate"), .product(name: "Signer", package: "casemate"),
                .product(name: "Substrate", package: "casemate"),
                .product(name: "MetadataDescriptions", package: "casemate"),
                .product(name: "TextForms", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-vigil",
            dependencies: [
                "Measuring",
                .product(name: "ExecutableImage", package: "casemate"),
                .product(name: "CodeMeasurement", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-echo",
            dependencies: [
                .product(name: "ForceFieldWire", package: "casemate"),
                .product(name: "ForceFieldWorker", package: "casemate"),
            ]),
        .executableTarget(
            name: "bench-appattest",
            dependencies: [
                "Measuring",
                .product(name: "AppAttest", package: "casemate"),
                .product(name: "AppAttestTestKit", package: "casemate"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "bench-gate-devices",
            dependencies: [
                .product(name: "AppAttest", package: "casemate"),
                .product(name: "AppAttestTestKit", package: "casemate"),
                .product(name: "TextForms", package: "casemate"),
                .product(name: "Crypto", package: "swift-crypto"),
            ]),
        .executableTarget(
            name: "bench-webassembly", dependencies: ["Measuring", .product(name: "WebAssembly", package: "casemate")]),
        .executableTarget(
            name: "bench-raptorq", dependencies: ["Measuring", .product(name: "RaptorQ", package: "casemate")]),
    ],
    swiftLanguageModes: [.v6]
)
