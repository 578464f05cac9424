// swift-tools-version: 6.2
import PackageDescription

// One house, four floors (docs/architecture.md): a room imports only rooms on lower floors, or beside it where listed.

let package = Package(
    name: "casemate",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "SecretMemory", targets: ["SecretMemory"]),
        .library(name: "SCALE", targets: ["SCALE"]),
        .library(name: "TextForms", targets: ["TextForms"]),
        .library(name: "Sr25519", targets: ["Sr25519"]),
        .library(name: "RaptorQ", targets: ["RaptorQ"]),
        .library(name: "QRCode", targets: ["QRCode"]),
        .library(name: "QRFilms", targets: ["QRFilms"]),
        .library(name: "Pictures", targets: ["Pictures"]),
        .library(name: "ZXingReader", targets: ["ZXingReader"]),
        .library(name: "ExecutableImage", targets: ["ExecutableImage"]),
        .library(name: "CodeMeasurement", targets: ["CodeMeasurement"]),
        .library(name: "HardwareKeys", targets: ["HardwareKeys"]),
        .library(name: "Vigil", targets: ["Vigil"]),
        .library(name: "VigilValidator", targets: ["VigilValidator"]),
        .library(name: "ForceField", targets: ["ForceField"]),
        .library(name: "ForceFieldWire", targets: ["ForceFieldWire"]),
        .library(name: "ForceFieldWorker", targets: ["ForceFieldWorker"]),
        .library(name: "MainKey", targets: ["MainKey"]),
        .library(name: "MainKeyGRDB", targets: ["MainKeyGRDB"]),
        .library(name: "MainKeyCompat", targets: ["MainKeyCompat"]),
        .library(name: "CertificatePins", targets: ["CertificatePins"]),
        .library(name: "CertificatePinsNIO", targets: ["CertificatePinsNIO"]),
        .library(name: "AppAttest", targets: ["AppAttest"]),
        .library(name: "AppAttestTestKit", targets: ["AppAttestTestKit"]),
        .library(name: "StrictJSON", targets: ["StrictJSON"]),
        .library(name: "WebSocketFrames", targets: ["WebSocketFrames"]),
        .library(name: "Telnet", targets: ["Telnet"]),
        .library(name: "GateRules", targets: ["GateRules"]),
        .library(name: "GateServer", targets: ["GateServer"]),
        .library(name: "Substrate", targets: ["Substrate"]),
        .library(name: "Airgap", targets: ["Airgap"]),
        .library(name: "AirgapLink", targets: ["AirgapLink"]),
        .library(name: "Signer", targets: ["Signer"]),
        .library(name: "AppAttestClient", targets: ["AppAttestClient"]),
        .executable(name: "casemate", targets: ["casemate"]),
        .executable(name: "casemate-worker", targets: ["CasemateWorkerProgram"]),
        .executable(name: "airgap", targets: ["AirgapProgram"]),
        .executable(name: "mainkey", targets: ["MainKeyProgram"]),
        .executable(name: "vigil-hash-tool", targets: ["VigilHashTool"]),
        .executable(name: "vigil-validator", targets: ["VigilValidatorProgram"]),
        .executable(name: "vigil-validate", targets: ["VigilValidateProgram"]),
        .executable(name: "vigil-demo", targets: ["VigilDemo"]),
        .executable(name: "forcefield", targets: ["ForceFieldProgram"]),
        .executable(name: "gate", targets: ["GateProgram"]),
        .executable(name: "conformance", targets: ["conformance"]),
    ],
    traits: [
        .default(enabledTraits: ["TPM"]),
        .trait(
            name: "TPM", description: "Keys in a TPM 2.0, by tpm2-tss. Without it, protections by hardware are refused."
        ),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: []),
    ],
    targets: [
        // Floor 0: Bridges
        .systemLibrary(
            name: "CSodium", path: "Sources/Bridges/CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(
            name: "CSecp256k1", path: "Sources/Bridges/CSecp256k1", pkgConfig: "libsecp256k1",
            providers: [.apt(["libsecp256k1-dev"]), .brew(["secp256k1"])]),
        .systemLibrary(
            name: "CZlib", path: "Sources/Bridges/CZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CLibcrypto", path: "Sources/Bridges/CLibcrypto", pkgConfig: "libcrypto",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CTSS2", path: "Sources/Bridges/CTSS2", pkgConfig: "tss2-esys", providers: [.apt(["libtss2-dev"])]),
        .systemLibrary(
            name: "CPostgres", path: "Sources/Bridges/CPostgres", pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "CJPEG", path: "Sources/Bridges/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
        .target(name: "CZXing", path: "Sources/Bridges/CZXing", linkerSettings: [.linkedLibrary("ZXing")]),
        .target(name: "CLinux", path: "Sources/Bridges/CLinux"),
        .target(name: "CForceField", path: "Sources/Bridges/CForceField"),
        // The keys of a release (docs/vigil.md); a build without them trusts those that the configuration names.
        .target(
            name: "CReleaseKeys", path: "Sources/Bridges/CReleaseKeys",
            cSettings: [
                .define("CASEMATE_RELEASE_KEYS", to: "\"\(Context.environment["CASEMATE_RELEASE_KEYS"] ?? "")\""),
                .define(
                    "CASEMATE_RELEASE_THRESHOLD",
                    to: "\"\(Context.environment["CASEMATE_RELEASE_THRESHOLD"] ?? "")\""),
            ]),
        .target(name: "CZeroingHeap", path: "Sources/Bridges/CZeroingHeap"),
        .target(name: "CEdwards25519", path: "Sources/Bridges/CEdwards25519"),
        .target(name: "CGaloisKernels", path: "Sources/Bridges/CGaloisKernels"),

        // Floor 1: System
        .target(name: "Files", path: "Sources/System/Files"),

        // Floor 1: Primitives
        .target(name: "SecretMemory", dependencies: ["CSodium", "CLinux"], path: "Sources/Primitives/SecretMemory"),
        .target(name: "TextForms", path: "Sources/Primitives/TextForms"),
        .target(name: "SCALE", path: "Sources/Primitives/SCALE"),
        .target(
            name: "Sr25519", dependencies: ["CSodium", "CEdwards25519", "SecretMemory"],
            path: "Sources/Primitives/Sr25519"),
        .target(name: "RaptorQ", dependencies: ["CGaloisKernels"], path: "Sources/Primitives/RaptorQ"),
        // Square roots: Foundation would link the library of mathematics, and this room does without it.
        .target(
            name: "QRCode", path: "Sources/Primitives/QRCode",
            linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
        .target(name: "QRFilms", dependencies: ["CZlib", "QRCode", "TextForms"], path: "Sources/Primitives/QRFilms"),
        .target(name: "Pictures", dependencies: ["CZlib", "CJPEG", "QRCode"], path: "Sources/Primitives/Pictures"),
        .target(name: "ZXingReader", dependencies: ["CZXing", "QRCode"], path: "Sources/Primitives/ZXingReader"),
        .target(
            name: "ExecutableImage",
            dependencies: [.target(name: "CLibcrypto", condition: .when(platforms: [.linux]))],
            path: "Sources/Primitives/ExecutableImage"),
        .target(name: "StrictJSON", path: "Sources/Primitives/StrictJSON"),
        .target(name: "RawDeflate", dependencies: ["CZlib"], path: "Sources/Primitives/RawDeflate"),
        .target(
            name: "WebSocketFrames", dependencies: ["RawDeflate", "TextForms"],
            path: "Sources/Primitives/WebSocketFrames"),
        .target(
            name: "Telnet", dependencies: ["RawDeflate", "StrictJSON", "TextForms"], path: "Sources/Primitives/Telnet"),

        // Floor 2: Trust
        .target(name: "Threads", path: "Sources/Trust/Threads"),
        .target(
            name: "HardwareKeys",
            dependencies: [
                "CSodium", "CLibcrypto", "SecretMemory",
                .target(name: "CTSS2", condition: .when(platforms: [.linux], traits: ["TPM"])),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Trust/HardwareKeys"),
        .target(
            name: "MainKey", dependencies: ["CSodium", "CLibcrypto", "CLinux", "SecretMemory", "HardwareKeys"],
            path: "Sources/Trust/MainKey"),
        .target(
            name: "MainKeyGRDB",
            dependencies: [
                "MainKey", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ],
            path: "Sources/Trust/MainKeyGRDB"),
        .target(
            name: "MainKeyCompat", dependencies: ["CSodium", "CLibcrypto", "SecretMemory", "MainKey"],
            path: "Sources/Trust/MainKeyCompat"),
        .target(
            name: "CertificatePins",
            dependencies: ["CSodium", .product(name: "SwiftASN1", package: "swift-asn1")],
            path: "Sources/Trust/CertificatePins"),
        .target(
            name: "CertificatePinsNIO",
            dependencies: [
                "CertificatePins",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "Sources/Trust/CertificatePinsNIO"),
        .target(
            name: "CodeMeasurement", dependencies: ["CLinux", "ExecutableImage"], path: "Sources/Trust/CodeMeasurement"),
        .target(
            name: "Vigil",
            dependencies: [
                "CLinux", "CReleaseKeys", "CodeMeasurement", "ExecutableImage", "HardwareKeys", "SecretMemory",
                "StrictJSON", "TextForms", "Threads",
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Trust/Vigil"),
        .target(
            name: "VigilValidator",
            dependencies: [
                "Vigil", "CodeMeasurement", "HardwareKeys", "SecretMemory", "Threads",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Trust/VigilValidator"),
        .target(name: "ForceFieldWire", dependencies: ["TextForms"], path: "Sources/Trust/ForceFieldWire"),
        .target(
            name: "ForceField",
            dependencies: [
                "CForceField", "CLinux", "ForceFieldWire", "TextForms", "Threads",
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Sources/Trust/ForceField"),
        .target(
            name: "ForceFieldWorker", dependencies: ["CForceField", "ForceFieldWire"],
            path: "Sources/Trust/ForceFieldWorker"),
        .target(
            name: "AppAttest",
            dependencies: [
                "TextForms",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Sources/Trust/AppAttest"),
        .target(
            name: "AppAttestTestKit",
            dependencies: [
                "AppAttest", "TextForms", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ],
            path: "Sources/Trust/AppAttestTestKit"),

        // Floor 2: Substrate
        .target(
            name: "Substrate",
            dependencies: ["CSodium", "CSecp256k1", "TextForms", "SecretMemory", "SCALE", "Sr25519"],
            path: "Sources/Substrate/Substrate"),
        .target(
            name: "Airgap", dependencies: ["RaptorQ", "SCALE", "Substrate", "TextForms"],
            path: "Sources/Substrate/Airgap"),
        .target(
            name: "PictureService", dependencies: ["ForceFieldWire", "TextForms"],
            path: "Sources/Substrate/PictureService"),
        .target(
            name: "LinkReading", dependencies: ["PictureService", "Pictures", "QRCode", "ZXingReader"],
            path: "Sources/Substrate/LinkReading"),
        .target(
            name: "PictureWorker",
            dependencies: [
                "ForceFieldWire", "ForceFieldWorker", "PictureService", "LinkReading", "Pictures", "QRCode",
                "ZXingReader",
            ],
            path: "Sources/Substrate/PictureWorker"),
        .target(
            name: "AirgapLink",
            dependencies: [
                "CLinux", "Files", "RaptorQ", "TextForms", "Airgap", "ForceField", "ForceFieldWire", "PictureService",
            ],
            path: "Sources/Substrate/AirgapLink"),

        // Floor 3: Signer
        .target(
            name: "Signer",
            dependencies: [
                "CSodium", "TextForms", "SecretMemory", "MainKey", "SCALE", "Substrate", "Airgap",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Signer/Signer",
            resources: [.copy("Resources/Metadata")]),

        // Floor 3: Gate
        .target(
            name: "AppAttestClient",
            dependencies: ["StrictJSON", "TextForms", .product(name: "Crypto", package: "swift-crypto")],
            path: "Sources/Gate/AppAttestClient"),
        .target(
            name: "GateRules",
            dependencies: [
                "TextForms", "StrictJSON", "AppAttest", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            path: "Sources/Gate/GateRules"),
        .target(
            name: "GateStores", dependencies: ["CPostgres", "StrictJSON", "TextForms", "AppAttest", "GateRules"],
            path: "Sources/Gate/GateStores"),
        .target(
            name: "GateServer",
            dependencies: [
                "RawDeflate", "WebSocketFrames", "Telnet", "AppAttest", "GateRules",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Sources/Gate/GateServer"),

        // Floor 4: Programs
        .target(
            name: "Console",
            dependencies: [
                "CLinux", "Files", "TextForms", "SecretMemory",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/Console"),
        .target(
            name: "MovingCodes", dependencies: ["Console", "Files", "QRCode", "QRFilms", "Airgap"],
            path: "Sources/Programs/MovingCodes"),
        .executableTarget(
            name: "casemate",
            dependencies: [
                "Console", "Files", "MovingCodes", "Signer", "MainKey", "HardwareKeys", "Airgap", "AirgapLink",
                "Substrate", "TextForms", "SecretMemory", "QRCode", "QRFilms", "CLinux", "CZeroingHeap",
                "CodeMeasurement", "Vigil",
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/casemate",
            resources: [.copy("Resources/Demo")]),
        .executableTarget(
            name: "AirgapProgram",
            dependencies: [
                "Console", "Files", "MovingCodes", "Airgap", "AirgapLink", "PictureService", "RaptorQ", "Substrate",
                "TextForms",
                "QRCode", "QRFilms",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/airgap"),
        .target(name: "KnownAnswers", dependencies: ["SecretMemory"], path: "Sources/Programs/KnownAnswers"),
        .target(
            name: "MainKeyKnownAnswers",
            dependencies: [
                "CSodium", "KnownAnswers", "MainKey", "SecretMemory", "HardwareKeys", "CertificatePins",
                "MainKeyCompat",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources/Programs/MainKeyKnownAnswers"),
        .executableTarget(
            name: "MainKeyProgram",
            dependencies: [
                "CLinux", "CSodium", "Console", "Files", "TextForms", "SecretMemory", "HardwareKeys", "MainKey",
                "MainKeyGRDB", "CertificatePins",
                "KnownAnswers", "MainKeyKnownAnswers",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/mainkey"),
        .target(
            name: "VigilKnownAnswers",
            dependencies: [
                "KnownAnswers", "ExecutableImage", "CodeMeasurement", "Vigil", "HardwareKeys", "SecretMemory",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Programs/VigilKnownAnswers"),
        .executableTarget(
            name: "VigilHashTool",
            dependencies: [
                "CLinux", "CZeroingHeap", "Console", "TextForms", "ExecutableImage", "CodeMeasurement", "Vigil",
                "HardwareKeys", "SecretMemory",
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/vigil-hash-tool"),
        .executableTarget(
            name: "VigilValidatorProgram",
            dependencies: [
                "CLinux", "Console", "TextForms", "SecretMemory", "HardwareKeys", "CodeMeasurement", "Threads", "Vigil",
                "VigilValidator",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/vigil-validator"),
        .executableTarget(
            name: "VigilValidateProgram",
            dependencies: [
                "Console", "CodeMeasurement", "Vigil", "HardwareKeys",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/vigil-validate"),
        .executableTarget(
            name: "VigilDemo",
            dependencies: [
                "CodeMeasurement", "Console", "Threads", "Vigil", "HardwareKeys", "SecretMemory",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/vigil-demo"),
        .executableTarget(
            name: "CasemateWorkerProgram", dependencies: ["ForceFieldWorker", "PictureWorker"],
            path: "Sources/Programs/casemate-worker"),
        .target(
            name: "ForceFieldWatch", dependencies: ["CForceField", "ForceField", "ForceFieldWire"],
            path: "Sources/Programs/ForceFieldWatch"),
        .target(
            name: "ForceFieldKnownAnswers",
            dependencies: ["KnownAnswers", "CForceField", "ForceField", "ForceFieldWire", "ForceFieldWatch"],
            path: "Sources/Programs/ForceFieldKnownAnswers"),
        .executableTarget(
            name: "ForceFieldProgram",
            dependencies: [
                "CForceField", "Console", "TextForms", "ForceField", "ForceFieldWire", "ForceFieldWatch",
                "ForceFieldWorker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/forcefield"),
        .target(
            name: "AppAttestKnownAnswers",
            dependencies: [
                "KnownAnswers", "TextForms", "AppAttest", .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Programs/AppAttestKnownAnswers"),
        .target(
            name: "GateKnownAnswers", dependencies: ["KnownAnswers", "Telnet", "WebSocketFrames"],
            path: "Sources/Programs/GateKnownAnswers"),
        // A device and its network without Apple's hardware: what gate mint, the known answers and the tests go through the gate with.
        .target(
            name: "GateTrial",
            dependencies: [
                "StrictJSON", "TextForms", "WebSocketFrames", "AppAttest", "AppAttestTestKit", "AppAttestClient",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Sources/Programs/GateTrial"),
        .target(
            name: "GateTableAnswers",
            dependencies: [
                "KnownAnswers", "AppAttestKnownAnswers", "GateKnownAnswers", "GateTrial", "StrictJSON", "TextForms",
                "WebSocketFrames", "Telnet", "AppAttest", "AppAttestTestKit", "GateRules", "GateStores", "GateServer",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Sources/Programs/GateTableAnswers"),
        .executableTarget(
            name: "GateProgram",
            dependencies: [
                "Console", "StrictJSON", "TextForms", "WebSocketFrames", "AppAttest", "AppAttestTestKit",
                "AppAttestClient", "GateRules", "GateStores", "GateServer", "GateTrial",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/gate"),
        .executableTarget(
            name: "conformance",
            dependencies: [
                "CSodium", "KnownAnswers", "MainKeyKnownAnswers", "VigilKnownAnswers", "ForceFieldKnownAnswers",
                "GateTableAnswers", "Signer",
                "Substrate", "RaptorQ", "Airgap", "AirgapLink", "SCALE", "Sr25519", "TextForms", "SecretMemory",
                "QRCode",
                "Pictures", "ZXingReader",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Sources/Programs/conformance"),

        // Tests mirror Sources
        .target(name: "TestSupport", dependencies: ["KnownAnswers"], path: "Tests/TestSupport"),
        .testTarget(name: "CLinuxTests", dependencies: ["CLinux"], path: "Tests/Bridges/CLinuxTests"),
        // Programs that tests start are built beside them; none is linked into the tests.
        .executableTarget(
            name: "CForceFieldProbe", dependencies: ["CForceField"], path: "Tests/Bridges/CForceFieldProbe"),
        .executableTarget(
            name: "SwiftForceFieldProbe", dependencies: ["CForceField"], path: "Tests/Bridges/SwiftForceFieldProbe",
            linkerSettings: [.unsafeFlags(["-static-stdlib"], .when(platforms: [.linux]))]),
        .testTarget(
            name: "CForceFieldTests", dependencies: ["TestSupport", "CForceField", "ForceFieldKnownAnswers"],
            path: "Tests/Bridges/CForceFieldTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "SecretMemoryTests", dependencies: ["TestSupport", "SecretMemory", "CLinux", "CSodium"],
            path: "Tests/Primitives/SecretMemoryTests"),
        .testTarget(name: "FilesTests", dependencies: ["TestSupport", "Files"], path: "Tests/System/FilesTests"),
        .testTarget(name: "TextFormsTests", dependencies: ["TextForms"], path: "Tests/Primitives/TextFormsTests"),
        .testTarget(name: "SCALETests", dependencies: ["TestSupport", "SCALE"], path: "Tests/Primitives/SCALETests"),
        .testTarget(
            name: "Sr25519Tests", dependencies: ["TestSupport", "Sr25519", "SecretMemory", "CSodium"],
            path: "Tests/Primitives/Sr25519Tests"),
        .testTarget(
            name: "RaptorQTests", dependencies: ["TestSupport", "RaptorQ", "CGaloisKernels"],
            path: "Tests/Primitives/RaptorQTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "QRCodeTests", dependencies: ["TestSupport", "QRCode"], path: "Tests/Primitives/QRCodeTests"),
        .testTarget(
            name: "PicturesTests",
            dependencies: ["TestSupport", "TextForms", "Pictures", "QRFilms", "ZXingReader", "QRCode"],
            path: "Tests/Primitives/PicturesTests"),
        .testTarget(
            name: "ExecutableImageTests", dependencies: ["TestSupport", "ExecutableImage"],
            path: "Tests/Primitives/ExecutableImageTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "StrictJSONTests", dependencies: ["TestSupport", "StrictJSON"],
            path: "Tests/Primitives/StrictJSONTests"),
        .testTarget(
            name: "RawDeflateTests", dependencies: ["TestSupport", "RawDeflate"],
            path: "Tests/Primitives/RawDeflateTests"),
        .testTarget(
            name: "WebSocketFramesTests",
            dependencies: ["TestSupport", "TextForms", "KnownAnswers", "GateKnownAnswers", "WebSocketFrames"],
            path: "Tests/Primitives/WebSocketFramesTests"),
        .testTarget(
            name: "TelnetTests",
            dependencies: ["TestSupport", "KnownAnswers", "GateKnownAnswers", "RawDeflate", "Telnet", "TextForms"],
            path: "Tests/Primitives/TelnetTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "CodeMeasurementTests",
            dependencies: [
                "TestSupport", "KnownAnswers", "VigilKnownAnswers", "CLinux", "ExecutableImage", "CodeMeasurement",
            ],
            path: "Tests/Trust/CodeMeasurementTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "HardwareKeysTests",
            dependencies: [
                "TestSupport", "HardwareKeys", "SecretMemory",
                .target(name: "CTSS2", condition: .when(platforms: [.linux], traits: ["TPM"])),
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Trust/HardwareKeysTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "VigilTests",
            dependencies: [
                "TestSupport", "StrictJSON", "Vigil", "CodeMeasurement", "ExecutableImage", "HardwareKeys",
                "SecretMemory",
                .product(name: "Crypto", package: "swift-crypto"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/Trust/VigilTests"),
        .testTarget(
            name: "VigilValidatorTests",
            dependencies: [
                "Vigil", "VigilValidator", "CodeMeasurement", "HardwareKeys", "SecretMemory",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Trust/VigilValidatorTests"),
        .testTarget(
            name: "ForceFieldWireTests",
            dependencies: ["TestSupport", "KnownAnswers", "ForceFieldKnownAnswers", "ForceFieldWire"],
            path: "Tests/Trust/ForceFieldWireTests"),
        .target(name: "HostileActs", dependencies: ["ForceFieldWire"], path: "Tests/Trust/HostileActs"),
        .target(name: "CWorkerName", path: "Tests/Trust/CWorkerName"),
        .executableTarget(
            name: "HostileWorker", dependencies: ["CForceField", "CWorkerName", "ForceFieldWire", "HostileActs"],
            path: "Tests/Trust/HostileWorker",
            linkerSettings: [.unsafeFlags(["-static-executable"], .when(platforms: [.linux]))]),
        .executableTarget(
            name: "ForceFieldTestHost", dependencies: ["CForceField", "CLinux", "ForceField", "HostileActs"],
            path: "Tests/Trust/ForceFieldTestHost"),
        .testTarget(
            name: "ForceFieldTests",
            dependencies: ["TestSupport", "ForceField", "ForceFieldWire", "HostileActs", "Threads"],
            path: "Tests/Trust/ForceFieldTests", exclude: ["Fixtures"]),
        .target(
            name: "ForceFieldTestMethods", dependencies: ["ForceFieldWire"],
            path: "Tests/Trust/ForceFieldTestMethods"),
        .target(
            name: "ForceFieldTestSupport", dependencies: ["CForceField", "ForceField", "ForceFieldWire"],
            path: "Tests/Trust/ForceFieldTestSupport"),
        .executableTarget(
            name: "ForceFieldTestWorker", dependencies: ["ForceFieldTestMethods", "ForceFieldWorker"],
            path: "Tests/Trust/ForceFieldTestWorker"),
        .executableTarget(
            name: "ForceFieldFoundationWorker", dependencies: ["ForceFieldTestMethods", "ForceFieldWorker"],
            path: "Tests/Trust/ForceFieldFoundationWorker"),
        .testTarget(
            name: "ForceFieldWorkerTests",
            dependencies: [
                "TestSupport", "CForceField", "ForceField", "ForceFieldWire", "ForceFieldTestMethods",
                "ForceFieldTestSupport",
            ],
            path: "Tests/Trust/ForceFieldWorkerTests"),
        .testTarget(
            name: "MainKeyGRDBTests",
            dependencies: [
                "TestSupport", "MainKeyGRDB", "MainKey", "SecretMemory", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Trust/MainKeyGRDBTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "MainKeyCompatTests", dependencies: ["TestSupport", "MainKeyCompat", "MainKey", "SecretMemory"],
            path: "Tests/Trust/MainKeyCompatTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "CertificatePinsTests", dependencies: ["TestSupport", "CertificatePins"],
            path: "Tests/Trust/CertificatePinsTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "CertificatePinsNIOTests",
            dependencies: [
                "TestSupport", "CertificatePins", "CertificatePinsNIO",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"), .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
            ],
            path: "Tests/Trust/CertificatePinsNIOTests"),
        .testTarget(
            name: "AppAttestTests",
            dependencies: [
                "TestSupport", "TextForms", "AppAttest", "AppAttestTestKit",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
            ],
            path: "Tests/Trust/AppAttestTests", exclude: ["Fixtures"]),
        .target(name: "GateTestSupport", path: "Tests/Gate/GateTestSupport"),
        .testTarget(
            name: "AppAttestClientTests", dependencies: ["AppAttestClient", "TextForms"],
            path: "Tests/Gate/AppAttestClientTests"),
        .testTarget(
            name: "GateRulesTests",
            dependencies: [
                "TestSupport", "TextForms", "StrictJSON", "AppAttest", "GateRules",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "Tests/Gate/GateRulesTests", exclude: ["Fixtures"]),
        .executableTarget(
            name: "GateStoresTestHost", dependencies: ["AppAttest", "GateRules", "GateStores"],
            path: "Tests/Gate/GateStoresTestHost"),
        .testTarget(
            name: "GateStoresTests",
            dependencies: [
                "TestSupport", "TextForms", "GateTestSupport", "StrictJSON", "AppAttest", "GateRules", "GateStores",
            ],
            path: "Tests/Gate/GateStoresTests"),
        .testTarget(
            name: "GateServerTests",
            dependencies: [
                "TestSupport", "KnownAnswers", "GateKnownAnswers", "StrictJSON", "TextForms", "WebSocketFrames",
                "AppAttest",
                "AppAttestTestKit", "GateRules", "GateStores", "GateServer",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Gate/GateServerTests"),
        .testTarget(
            name: "AppAttestKnownAnswersTests",
            dependencies: ["TestSupport", "KnownAnswers", "AppAttestKnownAnswers"],
            path: "Tests/Programs/AppAttestKnownAnswersTests"),
        .testTarget(
            name: "GateKnownAnswersTests", dependencies: ["TestSupport", "KnownAnswers", "GateKnownAnswers"],
            path: "Tests/Programs/GateKnownAnswersTests"),
        .testTarget(
            name: "MainKeyKnownAnswersTests", dependencies: ["TestSupport", "KnownAnswers", "MainKeyKnownAnswers"],
            path: "Tests/Programs/MainKeyKnownAnswersTests"),
        .testTarget(
            name: "VigilKnownAnswersTests", dependencies: ["TestSupport", "KnownAnswers", "VigilKnownAnswers"],
            path: "Tests/Programs/VigilKnownAnswersTests"),
        .testTarget(
            name: "ForceFieldKnownAnswersTests",
            dependencies: ["TestSupport", "KnownAnswers", "ForceFieldKnownAnswers"],
            path: "Tests/Programs/ForceFieldKnownAnswersTests"),
        .testTarget(
            name: "MainKeyTests",
            dependencies: ["TestSupport", "MainKey", "HardwareKeys", "SecretMemory", "CLinux", "CSodium"],
            path: "Tests/Trust/MainKeyTests", exclude: ["Fixtures"]),
        .testTarget(
            name: "SubstrateTests", dependencies: ["TestSupport", "TextForms", "Substrate", "SCALE", "SecretMemory"],
            path: "Tests/Substrate/SubstrateTests"),
        .testTarget(
            name: "AirgapTests", dependencies: ["TestSupport", "TextForms", "Airgap", "RaptorQ", "Substrate", "SCALE"],
            path: "Tests/Substrate/AirgapTests"),
        .target(name: "CFakeCamera", dependencies: ["CLinux"], path: "Tests/CFakeCamera"),
        .executableTarget(
            name: "PictureTestWorker", dependencies: ["ForceFieldWorker", "PictureWorker", "QRCode", "ZXingReader"],
            path: "Tests/Substrate/PictureTestWorker"),
        .testTarget(
            name: "PictureWorkerTests",
            dependencies: [
                "TestSupport", "ForceField", "ForceFieldTestSupport", "ForceFieldWire", "PictureService", "LinkReading",
                "Pictures", "QRCode", "QRFilms", "ZXingReader",
            ],
            path: "Tests/Substrate/PictureWorkerTests"),
        .testTarget(
            name: "AirgapLinkTests",
            dependencies: [
                "TestSupport", "CFakeCamera", "CLinux", "AirgapLink", "ForceField", "LinkReading", "PictureService",
                "QRCode", "Pictures",
            ],
            path: "Tests/Substrate/AirgapLinkTests"),
        .testTarget(
            name: "SignerTests",
            dependencies: [
                "CSodium", "TestSupport", "TextForms", "Signer", "MainKey", "Airgap", "Substrate", "SecretMemory",
                "SCALE",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Tests/Signer/SignerTests"),
        .testTarget(
            name: "ConsoleTests", dependencies: ["Console", "TextForms"], path: "Tests/Programs/ConsoleTests"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "QRCode", "Pictures", "ZXingReader", "ExecutableImage", "Vigil", "CodeMeasurement",
                "HardwareKeys", "GateTestSupport", "GateTrial", "AppAttest", "AppAttestTestKit", "AppAttestClient",
                "RawDeflate", "WebSocketFrames",
                .product(name: "GRDB", package: "GRDB.swift"), .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/EndToEnd", exclude: ["Fixtures"]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
