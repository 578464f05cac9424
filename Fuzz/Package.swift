// swift-tools-version: 6.2
import PackageDescription

// libFuzzer targets for every parser of outside bytes; `make fuzz` at the root runs each for a bounded time.
// lld, because gold fails on the runtime's debug information.
let package = Package(
    name: "casemate-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "casemate", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz",
            dependencies: [
                .product(name: "RaptorQ", package: "casemate"), .product(name: "SCALE", package: "casemate"),
                .product(name: "Substrate", package: "casemate"),
                .product(name: "MetadataDescriptions", package: "casemate"),
                .product(name: "TextForms", package: "casemate"),
                .product(name: "Airgap", package: "casemate"), .product(name: "Pictures", package: "casemate"),
                .product(name: "QRCode", package: "casemate"), .product(name: "QRFilms", package: "casemate"),
                .product(name: "SecretMemory", package: "casemate"),
                .product(name: "SplitBackup", package: "casemate"),
                .product(name: "Signer", package: "casemate"), .product(name: "HotSide", package: "casemate"),
                .product(name: "HardwareKeys", package: "casemate"),
                .product(name: "MainKey", package: "casemate"), .product(name: "CertificatePins", package: "casemate"),
                .product(name: "Vigil", package: "casemate"),
                .product(name: "ExecutableImage", package: "casemate"),
                .product(name: "CodeMeasurement", package: "casemate"),
                .product(name: "ForceField", package: "casemate"),
                .product(name: "ForceFieldWire", package: "casemate"),
                .product(name: "StrictJSON", package: "casemate"), .product(name: "Zstandard", package: "casemate"),
                .product(name: "WebAssembly", package: "casemate"),
                .product(name: "WebSocketFrames", package: "casemate"), .product(name: "Telnet", package: "casemate"),
                .product(name: "AppAttest", package: "casemate"),
                .product(name: "AppAttestTestKit", package: "casemate"),
                .product(name: "Gate", package: "casemate"),
            ],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])])
    ],
    swiftLanguageModes: [.v6]
)
