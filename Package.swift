// swift-tools-version: 6.2
import PackageDescription

// One house, four floors (docs/architecture.md): a room imports only rooms on lower floors, or beside it where listed.

let libraries = """
    Files SecretMemory SCALE TextForms Sr25519 RaptorQ QRCode QRFilms Pictures ZXingReader ExecutableImage CodeMeasurement
    HardwareKeys Vigil VigilValidator ForceField ForceFieldWire ForceFieldWorker MainKey MainKeyLogind MainKeyGRDB
    MainKeyCompat
    CertificatePins CertificatePinsNIO AppAttest AppAttestTestKit StrictJSON WebSocketFrames Telnet Gate
    Zstandard WebAssembly
    Substrate MetadataDescriptions Airgap AirgapLink SplitBackup SeedDraft NetworkDetector
    Signer HotSide AppAttestClient
    """

/// The name of a program, which is that of its folder, and the name of its target.
let programs = [
    "casemate": "casemate", "casemate-window": "CasemateWindowProgram", "casemate-worker": "CasemateWorkerProgram",
    "runtime-worker": "RuntimeWorkerProgram", "airgap": "AirgapProgram",
    "mainkey": "MainKeyProgram", "vigil-hash-tool": "VigilHashTool", "vigil-validator": "VigilValidatorProgram",
    "vigil-validate": "VigilValidateProgram", "vigil-demo": "VigilDemo", "forcefield": "ForceFieldProgram",
    "gate": "GateProgram", "generate-message": "GenerateMessageProgram", "conformance": "conformance",
]

/// Programs that tests start, by target: they are built beside the tests and linked into none.
let programsOfTests = [
    "CForceFieldTests": "CForceFieldProbe SwiftForceFieldProbe", "ForceFieldTests": "HostileWorker ForceFieldTestHost",
    "ForceFieldWorkerTests": "ForceFieldTestWorker ForceFieldFoundationWorker", "GateTests": "GateTestHost",
    "AdwaitaTests": "AdwaitaTestHost",
    "PictureWorkerTests": "PictureTestWorker CasemateWorkerProgram",
    "AirgapLinkTests": "PictureTestWorker CasemateWorkerProgram", "RuntimeReaderTests": "RuntimeWorkerProgram",
    "KnownAnswersTests": "HostileWorker ForceFieldProgram conformance", "MainKeyProgramTests": "MainKeyProgram",
    "EndToEndTests": "PictureTestWorker " + programs.values.sorted().joined(separator: " "),
]

/// Rooms so small that one target has the tests of them all.
let testedTogether = ["SmallPrimitivesTests": "BigEndian Scheduling StrictJSON TextForms Zstandard"]

/// A package: where it is, its oldest version, the trait that brings it, and those of its products that are used here.
let packages: [(place: String, version: Version, trait: String, products: String)] = [
    ("apple/swift-argument-parser", "1.8.2", "Programs", "ArgumentParser"),
    ("groue/GRDB.swift", "7.10.0", "Database", "GRDB GRDBSQLite"),
    ("apple/swift-crypto", "4.5.2", "Crypto", "Crypto"),
    ("apple/swift-certificates", "1.21.1", "X509", "X509"),
    ("apple/swift-log", "1.16.2", "Log", "Logging"),
    ("apple/swift-system", "1.8.1", "Files", "SystemPackage"),
    ("apple/swift-asn1", "1.7.4", "X509", "SwiftASN1"),
    ("apple/swift-nio", "2.101.2", "Network", "NIOCore NIOPosix NIOTLS NIOEmbedded NIOHTTP1 NIOWebSocket"),
    ("apple/swift-nio-ssl", "2.37.6", "Network", "NIOSSL"),
    ("apple/swift-nio-http2", "1.46.0", "Network", "NIOHTTP2"),
    ("swift-server/async-http-client", "1.37.0", "Network", "AsyncHTTPClient"),
    ("apple/swift-configuration", "1.4.0", "Network", "Configuration"),
]

/// What may be left out, and what leaves with it. All are on by default.
let traits = [
    "TPM": "Keys in a TPM 2.0, by tpm2-tss. Without it, protections by hardware are refused.",
    "Window": "GTK 4 and libadwaita: for casemate-window. Without it, that program says that it is not built in.",
    "Logind": "sd-bus: for MainKeyLogind, which hears of the screen's lock and of sleep by it.",
    "Crypto": "swift-crypto: for HardwareKeys, MainKey, Vigil, ForceField, AppAttest.",
    "Files": "swift-system: for Files, and what opens files by it: MainKey, Vigil, ForceField.",
    "Log": "swift-log: for HardwareKeys, MainKey, Vigil and ForceField.",
    "X509": "swift-certificates and swift-asn1: for AppAttest and CertificatePins.",
    "Network": "SwiftNIO and what stands on it: for CertificatePinsNIO and the gate.",
    "Database": "GRDB: for MainKeyGRDB and Signer.", "Programs": "swift-argument-parser: for the programs.",
]

/// Libraries of the system: target, name for pkg-config, packages of Debian and of Homebrew.
let systemLibraries: [(target: String, pkgConfig: String, apt: String, brew: String?)] = [
    ("CSodium", "libsodium", "libsodium-dev", "libsodium"),
    ("CSecp256k1", "libsecp256k1", "libsecp256k1-dev", "secp256k1"),
    ("CZlib", "zlib", "zlib1g-dev", "zlib"),
    ("CZstd", "libzstd", "libzstd-dev", "zstd"),
    ("CLibcrypto", "libcrypto", "libssl-dev", "openssl@3"),
    ("CTSS2", "tss2-esys", "libtss2-dev", nil),
    ("CPostgres", "libpq", "libpq-dev", "libpq"),
    ("CSystemd", "libsystemd", "libsystemd-dev", nil),
    ("CAdwaita", "libadwaita-1", "libadwaita-1-dev", "libadwaita"),
    ("CGIO", "gio-2.0", "libglib2.0-dev", "glib"),
]

/// Folders, and in each its targets with what they use: targets of this table, system libraries and products of
/// packages. A line that is further in goes on with the one before.
let table = """
    Sources/Bridges
        CJPEG CZXing CLinux CForceField CReleaseKeys CCleanStart CZeroingHeap CEdwards25519 CGaloisKernels:
        CWindowStart: CCleanStart
    Sources/System
        Files: CLinux SystemPackage
        SecretMemory: CSodium CLinux
        Threads:
    Sources/Primitives
        BigEndian Scheduling TextForms SCALE QRCode StrictJSON:
        Sr25519: CSodium CEdwards25519 SecretMemory
        RaptorQ: CGaloisKernels
        Identicons: CSodium TextForms
        QRFilms: CZlib QRCode TextForms
        Pictures: CZlib CJPEG QRCode
        ZXingReader: CZXing QRCode
        ExecutableImage: CLibcrypto
        Zstandard: CZstd
        WebAssembly:
        WebSocketFrames: CZlib TextForms
        Telnet: StrictJSON TextForms WebSocketFrames
    Sources/Trust
        HardwareKeys: CSodium CLibcrypto BigEndian Files SecretMemory CTSS2 Crypto Logging
        MainKey: BigEndian CSodium CLibcrypto CLinux Files SecretMemory TextForms HardwareKeys
        MainKeyLogind: MainKey CSystemd
        MainKeyGRDB: BigEndian SecretMemory MainKey GRDB GRDBSQLite
        MainKeyCompat: CSodium CLibcrypto SecretMemory MainKey
        CertificatePins: CSodium SwiftASN1
        CertificatePinsNIO: CertificatePins NIOCore NIOTLS NIOSSL AsyncHTTPClient
        CodeMeasurement: CLinux ExecutableImage Files
        Vigil: BigEndian CLinux CReleaseKeys CodeMeasurement ExecutableImage Files HardwareKeys SecretMemory StrictJSON
            TextForms Threads Crypto Logging
        VigilValidator: Vigil CodeMeasurement Files HardwareKeys SecretMemory Threads Crypto Logging Scheduling
        ForceFieldWire: Scheduling TextForms
        ForceField: CForceField CLinux Files ForceFieldWire Scheduling StrictJSON TextForms Threads Crypto Logging
        ForceFieldWorker: CForceField ForceFieldWire Scheduling
        AppAttest: TextForms Crypto X509 SwiftASN1
        AppAttestTestKit: AppAttest BigEndian TextForms Crypto X509 SwiftASN1
    Sources/Substrate
        Substrate: CSodium CSecp256k1 TextForms SecretMemory SCALE Sr25519
        MetadataDescriptions: Substrate
        Airgap: RaptorQ SCALE Substrate TextForms
        PictureService: ForceFieldWire TextForms
        PictureWorker: CForceField ForceFieldWire ForceFieldWorker PictureService Pictures QRCode ZXingReader Zstandard
        RuntimeService: ForceFieldWire
        RuntimeWorker: ForceFieldWorker RuntimeService SCALE WebAssembly Zstandard
        RuntimeReader: AirgapLink ForceField ForceFieldWire RuntimeService SCALE Substrate TextForms
        AirgapLink: CLinux Files RaptorQ TextForms Threads Airgap ForceField ForceFieldWire PictureService
    Sources/Signer
        Navigator:
        Signer: CSodium SplitBackup TextForms SecretMemory MainKey SCALE Substrate Airgap GRDB Files
        HotSide: Airgap Files GRDB SCALE SecretMemory StrictJSON Substrate TextForms Zstandard AsyncHTTPClient NIOCore
            NIOHTTP1 NIOPosix NIOSSL NIOWebSocket
        SplitBackup: CSodium StrictJSON TextForms SecretMemory
        SeedDraft: SecretMemory Substrate
        MetadataPortal: Files Substrate TextForms
        NetworkDetector: CLinux Files Threads
        SignerCore: Navigator Signer SeedDraft SplitBackup NetworkDetector Airgap MainKey Substrate MetadataDescriptions
            SecretMemory TextForms SCALE
        Screens: Airgap Identicons Navigator NetworkDetector SecretMemory Signer SignerCore Substrate TextForms
    Sources/Window
        Adwaita: CAdwaita
        SignerWindow: Adwaita Airgap AirgapLink Identicons Navigator QRCode Screens SecretMemory SignerCore SplitBackup
            TextForms
    Sources/Gate
        AppAttestClient: StrictJSON TextForms Crypto
        Gate: CPostgres Files Scheduling TextForms StrictJSON WebSocketFrames Telnet AppAttest Crypto X509
            Configuration NIOCore NIOPosix NIOTLS NIOSSL NIOHTTP1
    Sources/Programs
        Console: CLinux Files TextForms SecretMemory ArgumentParser
        MovingCodes: Console Files QRCode QRFilms Airgap
        VaultArguments: HardwareKeys MainKey MainKeyLogind ArgumentParser
        casemate: CCleanStart Console InstalledSigner Files MetadataDescriptions MovingCodes Signer SignerCore
            Navigator NetworkDetector MainKey MainKeyLogind HardwareKeys Airgap AirgapLink Substrate TextForms
            SecretMemory QRCode QRFilms CLinux CZeroingHeap ArgumentParser SCALE SplitBackup SeedDraft Zstandard
            KnownAnswers SignerKnownAnswers
        InstalledSigner: CLinux Console VaultArguments Files TextForms SecretMemory HardwareKeys CodeMeasurement Vigil
            ForceField PictureService AirgapLink Substrate NetworkDetector MainKey Signer SignerCore Crypto Logging
            ArgumentParser
        CasemateWindowProgram: CCleanStart CWindowStart CZeroingHeap CLinux Console InstalledSigner MainKey Screens
            Adwaita Signer SignerCore SignerWindow TextForms ArgumentParser
        AirgapProgram: Console Files MovingCodes Airgap AirgapLink PictureService RaptorQ Substrate TextForms QRCode
            QRFilms ArgumentParser
        MainKeyProgram: CCleanStart CLinux Console VaultArguments Files TextForms SecretMemory HardwareKeys MainKey
            MainKeyLogind MainKeyGRDB CertificatePins KnownAnswers MainKeyKnownAnswers GRDB ArgumentParser
        GenerateMessageProgram: Console Files MovingCodes HotSide MetadataPortal RuntimeReader Airgap AirgapLink QRCode
            QRFilms Substrate TextForms ArgumentParser
        ManifestMaking: CodeMeasurement ExecutableImage Vigil
        VigilHashTool: ManifestMaking Files CCleanStart CLinux CZeroingHeap Console TextForms ExecutableImage
            CodeMeasurement Vigil HardwareKeys SecretMemory Crypto Logging ArgumentParser
        VigilValidatorProgram: CCleanStart CLinux Console Files StrictJSON TextForms SecretMemory HardwareKeys
            CodeMeasurement Threads Vigil VigilValidator Logging ArgumentParser
        VigilValidateProgram: ManifestMaking Console CodeMeasurement ExecutableImage Vigil HardwareKeys ArgumentParser
        VigilDemo: CCleanStart CodeMeasurement Console Threads Vigil HardwareKeys SecretMemory Logging ArgumentParser
        CasemateWorkerProgram: ForceFieldWorker PictureWorker
        RuntimeWorkerProgram: ForceFieldWorker RuntimeWorker
        ForceFieldWatch: CForceField Files ForceField ForceFieldWire
        ForceFieldProgram: CForceField Console Files TextForms ForceField ForceFieldWire ForceFieldWatch
            ForceFieldWorker ArgumentParser
        GateTrial: Files StrictJSON TextForms WebSocketFrames AppAttest AppAttestTestKit AppAttestClient Crypto X509
            SwiftASN1 NIOCore NIOPosix NIOSSL
        GateProgram: Console StrictJSON TextForms AppAttest AppAttestTestKit AppAttestClient Gate GateTrial Crypto X509
            ArgumentParser
    Conformance
        KnownAnswers: SecretMemory StrictJSON TextForms
        MainKeyKnownAnswers: CSodium KnownAnswers MainKey SecretMemory HardwareKeys CertificatePins MainKeyCompat GRDB
            Crypto
        VigilKnownAnswers: KnownAnswers ExecutableImage CodeMeasurement Vigil HardwareKeys SecretMemory Crypto
        ForceFieldKnownAnswers: KnownAnswers CForceField ForceField ForceFieldWire ForceFieldWatch
        GateKnownAnswers: KnownAnswers Telnet WebSocketFrames
        SignerKnownAnswers: KnownAnswers Airgap Navigator NetworkDetector SCALE SecretMemory SeedDraft Signer SignerCore
            SplitBackup Substrate TextForms
        HotSideKnownAnswers: KnownAnswers Airgap HotSide MetadataDescriptions RuntimeService RuntimeWorker SCALE StrictJSON
            Substrate TextForms Zstandard
        AppAttestKnownAnswers: KnownAnswers TextForms AppAttest Crypto GateKnownAnswers GateTrial StrictJSON
            WebSocketFrames Telnet AppAttestTestKit Gate
        conformance: CSodium KnownAnswers MainKeyKnownAnswers VigilKnownAnswers ForceFieldKnownAnswers
            AppAttestKnownAnswers HotSide HotSideKnownAnswers SignerKnownAnswers Signer Substrate MetadataDescriptions RaptorQ
            Airgap AirgapLink SCALE Sr25519 TextForms SecretMemory QRCode Pictures ZXingReader ArgumentParser ForceFieldWatch
    Tests
        TestSupport: KnownAnswers
        CFakeCamera: CLinux
        EndToEndTests: TestSupport Files QRCode Pictures ZXingReader ExecutableImage Vigil CodeMeasurement HardwareKeys
            GateTrial HotSideTestSupport HotSideKnownAnswers AppAttest AppAttestTestKit AppAttestClient StrictJSON
            WebSocketFrames GRDB Logging LogindTestSupport RuntimeTestSupport Substrate
    Tests/Bridges
        CLinuxTests: CLinux
        CForceFieldProbe SwiftForceFieldProbe: CForceField
        CForceFieldTests: TestSupport CForceField ForceFieldKnownAnswers
    Tests/System
        FilesTests: TestSupport Files
        SecretMemoryTests: SecretMemory CLinux CSodium
    Tests/Primitives
        SmallPrimitivesTests: TestSupport BigEndian Scheduling StrictJSON TextForms Zstandard
        SCALETests: SCALE
        Sr25519Tests: TestSupport Sr25519 SecretMemory CSodium
        RaptorQTests: TestSupport RaptorQ CGaloisKernels
        QRCodeTests: TestSupport QRCode
        IdenticonsTests: TestSupport TextForms Identicons
        PicturesTests: TestSupport TextForms Pictures QRFilms ZXingReader QRCode
        ExecutableImageTests: TestSupport ExecutableImage
        WebAssemblyTestSupport: WebAssembly
        WebAssemblyTests: TestSupport WebAssembly WebAssemblyTestSupport
        WebSocketFramesTests: TestSupport TextForms KnownAnswers GateKnownAnswers WebSocketFrames
        TelnetTests: TestSupport KnownAnswers GateKnownAnswers Telnet TextForms WebSocketFrames
    Tests/Trust
        CodeMeasurementTests: TestSupport KnownAnswers VigilKnownAnswers CLinux ExecutableImage CodeMeasurement Files
        HardwareKeysTests: TestSupport HardwareKeys SecretMemory CTSS2 Crypto Logging
        VigilTests: TestSupport Files ManifestMaking Vigil CodeMeasurement ExecutableImage HardwareKeys
            SecretMemory Crypto Logging TextForms
        VigilValidatorTests: Vigil VigilValidator CodeMeasurement HardwareKeys SecretMemory Crypto
        ForceFieldWireTests: TestSupport ForceFieldKnownAnswers ForceFieldTestMethods ForceFieldWire
        CWorkerName:
        HostileWorker: CForceField CWorkerName ForceFieldWire ForceFieldTestMethods
        ForceFieldTestHost: CForceField CLinux ForceField ForceFieldTestMethods
        ForceFieldTests: TestSupport Files StrictJSON ForceField ForceFieldTestMethods ForceFieldWire Threads
        ForceFieldTestMethods: ForceFieldWire
        ForceFieldTestSupport: CForceField ForceField ForceFieldWire
        ForceFieldTestWorker: ForceFieldTestMethods ForceFieldWorker ForceFieldWire
        ForceFieldFoundationWorker: ForceFieldTestMethods ForceFieldWorker
        ForceFieldWorkerTests: TestSupport CForceField ForceField ForceFieldWire ForceFieldTestMethods
            ForceFieldTestSupport
        LogindTestSupport: CSystemd
        MainKeyLogindTests: LogindTestSupport MainKeyLogind MainKey SecretMemory
        MainKeyGRDBTests: TestSupport MainKeyGRDB MainKey HardwareKeys SecretMemory GRDB
        MainKeyCompatTests: TestSupport MainKeyCompat MainKey SecretMemory
        CertificatePinsTests: TestSupport CertificatePins
        CertificatePinsNIOTests: CertificatePins CertificatePinsNIO NIOCore NIOPosix NIOEmbedded NIOTLS NIOHTTP1
            NIOHTTP2 NIOSSL AsyncHTTPClient
        AppAttestTests: TestSupport TextForms AppAttest AppAttestTestKit Crypto X509
        MainKeyTests: TestSupport BigEndian Files MainKey HardwareKeys SecretMemory CLinux CSodium
    Tests/Substrate
        SubstrateTests: TestSupport TextForms Substrate MetadataDescriptions SCALE SecretMemory Zstandard
        AirgapTests: TestSupport TextForms Airgap RaptorQ SecretMemory Substrate SCALE
        PictureTestWorker: ForceFieldWorker PictureWorker QRCode ZXingReader
        PictureWorkerTests: TestSupport ForceFieldTestSupport ForceFieldWire PictureService Pictures QRCode QRFilms
            ZXingReader Zstandard
        RuntimeTestSupport: SCALE WebAssembly WebAssemblyTestSupport
        RuntimeWorkerTests: RuntimeService RuntimeTestSupport RuntimeWorker WebAssembly
            WebAssemblyTestSupport Zstandard
        RuntimeReaderTests: AirgapLink TestSupport ForceField RuntimeReader RuntimeTestSupport Substrate
        AirgapLinkTests: TestSupport CFakeCamera CLinux Airgap AirgapLink ForceField PictureService PictureWorker
            QRCode Pictures Zstandard
    Tests/Signer
        HotSideTestSupport: HotSideKnownAnswers MetadataDescriptions SCALE StrictJSON Substrate TextForms NIOCore NIOHTTP1
            NIOPosix NIOWebSocket
        HotSideTests: TestSupport HotSideTestSupport HotSideKnownAnswers Airgap Files GRDB HotSide SCALE SecretMemory
            StrictJSON Substrate TextForms Zstandard
        NavigatorTests: TestSupport Navigator
        SplitBackupTests: TestSupport SplitBackup TextForms SecretMemory
        MetadataPortalTests: TestSupport Files MetadataPortal Pictures QRCode QRFilms Substrate
        SeedDraftTests: TestSupport SeedDraft SecretMemory Substrate
        NetworkDetectorTests: TestSupport NetworkDetector Files CLinux
        SignerCoreTests: TestSupport SignerCore MainKey Navigator NetworkDetector Signer SplitBackup SecretMemory SCALE
            TextForms Airgap Substrate
        SignerTests: CSodium TestSupport TextForms Signer MainKey Airgap Substrate SecretMemory SCALE GRDB
            SplitBackup MetadataDescriptions KnownAnswers SignerKnownAnswers
        ScreensTests: Airgap Identicons Navigator NetworkDetector SCALE Screens SecretMemory Signer SignerCore Substrate
            TextForms
    Tests/Window
        AdwaitaTestHost: CAdwaita Adwaita Identicons Navigator QRCode Screens SecretMemory SignerCore SignerWindow
        AdwaitaTests: CGIO TestSupport
        WindowTestSupport: CGIO CZlib TestSupport
        WindowTests: TestSupport WindowTestSupport
        SignerWindowTests: AirgapLink Navigator Screens SecretMemory Signer SignerCore SignerWindow
    Tests/Gate
        AppAttestClientTests: AppAttestClient TextForms
        GateTestHost: AppAttest Files Gate
        GateTests: TestSupport GateKnownAnswers Files TextForms StrictJSON AppAttest AppAttestTestKit
            Gate WebSocketFrames Crypto X509 SwiftASN1 NIOCore NIOEmbedded NIOPosix NIOSSL NIOHTTP1
    Tests/Programs
        MainKeyProgramTests: KnownAnswers HardwareKeys MainKey MainKeyGRDB SecretMemory GRDB
        ManifestMakingTests: TestSupport ManifestMaking Vigil CodeMeasurement ExecutableImage
        ConsoleTests: Console TextForms
    Tests/Conformance
        KnownAnswersTests: TestSupport KnownAnswers AppAttestKnownAnswers GateKnownAnswers MainKeyKnownAnswers
            VigilKnownAnswers ForceField ForceFieldWire ForceFieldWatch ForceFieldKnownAnswers SignerKnownAnswers
            QRCode
    """

/// Resources and fixtures, which are copied or left alone.
let copied = ["Signer": "Resources/Metadata", "InstalledSigner": "Resources/Demo"]
let withFixtures = """
    CForceFieldTests RaptorQTests ExecutableImageTests TelnetTests CodeMeasurementTests HardwareKeysTests
    ForceFieldTests NavigatorTests MainKeyGRDBTests MainKeyCompatTests CertificatePinsTests AppAttestTests GateTests
    MainKeyTests EndToEndTests SplitBackupTests NetworkDetectorTests
    """

/// What a target is linked with beyond what it imports.
let linking: [String: LinkerSetting] = [
    "CJPEG": .linkedLibrary("jpeg"), "CZXing": .linkedLibrary("ZXing"),
    // Square roots and rounding: Foundation would link the library of mathematics, and these rooms do without it.
    "QRCode": .linkedLibrary("m", .when(platforms: [.linux])),
    "TextForms": .linkedLibrary("m", .when(platforms: [.linux])),
    "WebAssembly": .linkedLibrary("m", .when(platforms: [.linux])),
    "SwiftForceFieldProbe": .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux])),
    "HostileWorker": .unsafeFlags(["-static-executable"], .when(platforms: [.linux])),
]

/// Nothing that decides what a program does stays writable in it (docs/vigil.md): all functions of libraries are looked
/// up at the start, and their addresses and all constants lie in memory that is read-only from then on.
let closingMemory: LinkerSetting = .unsafeFlags(
    ["-use-ld=lld"]
        + [
            "-z", "relro", "-z", "now", "-z", "separate-code", "-z", "nostart-stop-gc",
            "-T", "\(Context.packageDirectory)/packaging/constants.ld",
        ].flatMap { ["-Xlinker", $0] },
    .when(platforms: [.linux]))

/// The keys of a release (docs/vigil.md); a build without them trusts those that the configuration names.
let releaseKeys: [CSetting] = ["CASEMATE_RELEASE_KEYS", "CASEMATE_RELEASE_THRESHOLD"].map {
    .define($0, to: "\"\(Context.environment[$0] ?? "")\"")
}

func words(_ text: some StringProtocol) -> [String] {
    let parts: [Substring] = Substring(text).split(whereSeparator: \.isWhitespace)
    return parts.map(String.init)
}

let folderOfProgram = Dictionary(uniqueKeysWithValues: programs.map { ($0.value, $0.key) })
let executables = Set(programs.values).union(words(programsOfTests.values.joined(separator: " ")))

func dependency(_ name: String, of target: String) -> Target.Dependency {
    for package in packages where words(package.products).contains(name) {
        return .product(
            name: name, package: String(package.place.split(separator: "/")[1]),
            condition: .when(traits: [package.trait]))
    }
    return switch (name, target) {
    case ("CTSS2", _): .target(name: name, condition: .when(platforms: [.linux], traits: ["TPM"]))
    case ("CSystemd", _): .target(name: name, condition: .when(platforms: [.linux], traits: ["Logind"]))
    case ("CAdwaita", _), ("CGIO", _): .target(name: name, condition: .when(platforms: [.linux], traits: ["Window"]))
    // CryptoKit hashes on Apple's platforms.
    case ("CLibcrypto", "ExecutableImage"): .target(name: name, condition: .when(platforms: [.linux]))
    default: .target(name: name)
    }
}

func target(_ name: String, uses: [String], in floor: String) -> Target {
    let uses = uses.map { dependency($0, of: name) }
    let path = name == "EndToEndTests" ? "Tests/EndToEnd" : "\(floor)/\(folderOfProgram[name] ?? name)"
    let linking = folderOfProgram[name] == nil ? linking[name].map { [$0] } : [closingMemory]
    let resources = copied[name].map { [Resource.copy($0)] }
    if name.hasSuffix("Tests") {
        return .testTarget(
            name: name, dependencies: uses, path: path, exclude: words(withFixtures).contains(name) ? ["Fixtures"] : [])
    }
    if executables.contains(name) {
        return .executableTarget(
            name: name, dependencies: uses, path: path, resources: resources, linkerSettings: linking)
    }
    return .target(
        name: name, dependencies: uses, path: path, resources: resources,
        cSettings: name == "CReleaseKeys" ? releaseKeys : nil, linkerSettings: linking)
}

typealias Row = (target: String, floor: String, uses: [String])

func rows(of table: String) -> [Row] {
    var rows: [Row] = []
    var floor = ""
    for line in table.split(separator: "\n") {
        if !line.hasPrefix(" ") {
            floor = String(line)
        } else if let colon = line.firstIndex(of: ":") {
            let uses = words(line[line.index(after: colon)...])
            rows += words(line[..<colon]).map { ($0, floor, uses) }
        } else {
            rows[rows.count - 1].uses += words(line)
        }
    }
    return rows
}

/// What targets and their tests need, themselves included.
func closure(of roots: [String], in rows: [Row]) -> Set<String> {
    var closure = Set<String>()
    let tests = rows.map(\.target).filter { target in
        roots.contains { target == $0 + "Tests" || words(testedTogether[target] ?? "").contains($0) }
    }
    var wanted = roots + tests
    while let name = wanted.popLast() {
        guard closure.insert(name).inserted else { continue }
        wanted += (rows.first { $0.target == name }?.uses ?? []) + words(programsOfTests[name] ?? "")
    }
    return closure
}

/// `ONLY=RaptorQ swift test` builds that target with what it needs, and its tests.
let only = words(Context.environment["ONLY"] ?? "")
let house = rows(of: table)
precondition(only.allSatisfy { name in house.contains { $0.target == name } }, "ONLY=\(only) names no target here.")
let kept = closure(of: only.isEmpty ? house.map(\.target) : only, in: house)

let package = Package(
    name: "casemate",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: words(libraries).filter(kept.contains).map { .library(name: $0, targets: [$0]) }
        + programs.sorted { $0.key < $1.key }.filter { kept.contains($0.value) }
        .map { .executable(name: $0.key, targets: [$0.value]) },
    traits: Set(
        traits.map { .trait(name: $0.key, description: $0.value) } + [.default(enabledTraits: Set(traits.keys))]),
    dependencies: packages.filter { words($0.products).contains(where: kept.contains) }.map {
        // Its default traits bring formats of files that the gate does not read.
        .package(
            url: "https://github.com/\($0.place)", from: $0.version,
            traits: $0.place == "apple/swift-configuration" ? [] : [.defaults])
    },
    targets: systemLibraries.filter { kept.contains($0.target) }.map {
        .systemLibrary(
            name: $0.target, path: "Sources/Bridges/\($0.target)", pkgConfig: $0.pkgConfig,
            providers: [.apt([$0.apt])] + ($0.brew.map { [.brew([$0])] } ?? []))
    } + house.filter { kept.contains($0.target) }.map { target($0.target, uses: $0.uses, in: $0.floor) },
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
