// swift-tools-version: 6.2
import PackageDescription

// One house, five floors (docs/architecture.md): a room imports only rooms on lower floors, or beside it where listed.
/// A package: where it is, its oldest version, the trait that brings it, and those of its products that are used here.
let packages: [(place: String, version: Version, trait: String, products: String)] = [
    ("apple/swift-argument-parser", "1.8.2", "Programs", "ArgumentParser"),
    ("apple/swift-crypto", "4.5.2", "Crypto", "Crypto"), ("groue/GRDB.swift", "7.10.0", "Database", "GRDB GRDBSQLite"),
    ("apple/swift-log", "1.16.2", "Log", "Logging"), ("apple/swift-system", "1.8.1", "Files", "SystemPackage"),
    ("apple/swift-certificates", "1.21.1", "X509", "X509"), ("apple/swift-asn1", "1.7.4", "X509", "SwiftASN1"),
    ("apple/swift-nio", "2.101.2", "Network", "NIOCore NIOPosix NIOTLS NIOEmbedded NIOHTTP1 NIOWebSocket"),
    ("apple/swift-nio-ssl", "2.37.6", "Network", "NIOSSL"), ("apple/swift-nio-http2", "1.46.0", "Network", "NIOHTTP2"),
    ("swift-server/async-http-client", "1.37.0", "Network", "AsyncHTTPClient"),
    ("apple/swift-configuration", "1.4.0", "Network", "Configuration"),
]

/// What may be left out, and what leaves with it. All are on by default.
let traits = [
    "TPM": "Keys in a TPM 2.0, by tpm2-tss. Without it, protections by hardware are refused.",
    "Window": "GTK 4 and libadwaita: casemate-window. Without it, that program says that it is not built in.",
    "Logind": "sd-bus: MainKeyLogind, which hears of the screen's lock and of sleep by it.",
    "Crypto": "swift-crypto: AppAttest, the gate.", "Database": "GRDB: MainKeyGRDB.",
    "Files": "swift-system: Files, and what opens files by it.", "Log": "swift-log: the trust stack.",
    "X509": "swift-certificates, swift-asn1: AppAttest, CertificatePins.", "Programs": "swift-argument-parser.",
    "Network": "SwiftNIO and what stands on it: CertificatePinsNIO, HotSide and the gate.",
]

/// Libraries of the system: target, name for pkg-config, packages of Debian and of Homebrew, the trait that brings it.
let systemLibraries: [(target: String, pkgConfig: String?, apt: String, brew: String?, trait: String?)] = [
    ("CAdwaita", "libadwaita-1", "libadwaita-1-dev", "libadwaita", "Window"),
    ("CSecp256k1", "libsecp256k1", "libsecp256k1-dev", "secp256k1", nil), ("CZlib", "zlib", "zlib1g-dev", "zlib", nil),
    ("CSodium", "libsodium", "libsodium-dev", "libsodium", nil), ("CPostgres", "libpq", "libpq-dev", "libpq", nil),
    ("CLibcrypto", "libcrypto", "libssl-dev", "openssl@3", nil), ("CZstd", "libzstd", "libzstd-dev", "zstd", nil),
    ("CSQLite", "sqlite3", "libsqlite3-dev", "sqlite", nil), ("CGIO", "gio-2.0", "libglib2.0-dev", "glib", "Window"),
    // No program is linked with these two: they are opened when they are first used (LateLibraries).
    ("CTSS2", nil, "libtss2-dev", nil, "TPM"), ("CSystemd", nil, "libsystemd-dev", nil, "Logind"),
]

/// Folders, and in each its targets with what they use: targets of this table, system libraries, products of packages.
/// - A name with a star is a library, which others can take. FOLDER/TARGET is a program; with Console it has arguments.
/// - After | comes what a room's tests, in its folder of Tests, use beside the room, what that uses, and TestSupport.
/// - After > come programs that tests start, built beside them, linked into none. Fixtures and paths are not compiled.
let table = """
    Sources/Bridges
        CLibrary CJPEG CZXing CReleaseKeys CCleanStart CZeroingHeap CZeroingLibcrypto CEdwards25519 CGaloisKernels:
        CTexts CShippedFiles: ./Files
        CLinux: |
        CTSS2Sonames CSystemdSonames: CLinux
        CForceField: | ForceFieldKnownAnswers Fixtures > CForceFieldProbe SwiftForceFieldProbe
        CWindowStart: CCleanStart
    Sources/System
        Files*: CLibrary CLinux SystemPackage |
        SecretMemory*: CSodium CLinux |
        Sockets: CLinux Scheduling Threads | TestSupport
        SQLite: CSQLite Threads |
        LateLibraries: CLinux Threads |
        BasicFoundation Threads: CLibrary
        Processes: CLibrary CLinux
    Sources/Primitives
        BigEndian TextForms* StrictJSON*:
        Scheduling: CLibrary
        SCALE* QRCode*: |
        Sr25519*: CSodium CEdwards25519 SecretMemory |
        RaptorQ*: CGaloisKernels | Cryptography TextForms Fixtures
        Identicons: CSodium TextForms |
        QRFilms*: CTexts CZlib QRCode TextForms
        Pictures*: CZlib CJPEG QRCode | TextForms QRFilms ZXingReader
        ZXingReader*: CZXing QRCode
        Cryptography: CLibcrypto CZeroingLibcrypto SecretMemory
        ExecutableImage*: CLibcrypto | Fixtures
        Zstandard*: CZstd
        WebAssembly*: | WebAssemblyTestSupport
        WebSocketFrames*: CZlib TextForms | KnownAnswers GateKnownAnswers
        Telnet*: StrictJSON TextForms WebSocketFrames | KnownAnswers GateKnownAnswers Fixtures
    Sources/Trust
        HardwareKeys*: BasicFoundation CSodium CLibcrypto BigEndian Cryptography Files LateLibraries SecretMemory CTSS2
            CTSS2Sonames Threads Logging | Crypto Fixtures
        MainKey*: BasicFoundation BigEndian CSodium CLibcrypto CLinux Files SecretMemory Sockets TextForms Threads
            HardwareKeys | Fixtures
        MainKeyLogind*: LateLibraries MainKey Sockets CSystemd CSystemdSonames | LogindTestSupport SecretMemory
        MainKeyGRDB*: BigEndian Cryptography SecretMemory MainKey GRDB GRDBSQLite | HardwareKeys Fixtures
        MainKeyCompat*: CSodium CLibcrypto SecretMemory MainKey | Fixtures
        CertificatePins*: BasicFoundation CSodium SwiftASN1 | Fixtures
        CertificatePinsNIO*: CertificatePins NIOCore NIOTLS NIOSSL AsyncHTTPClient | NIOPosix NIOEmbedded NIOHTTP1
            NIOHTTP2
        CodeMeasurement*: BasicFoundation CLinux ExecutableImage Files | KnownAnswers VigilKnownAnswers Fixtures
        Vigil*: BasicFoundation BigEndian CLinux CReleaseKeys CodeMeasurement Cryptography ExecutableImage Files
            HardwareKeys SecretMemory StrictJSON TextForms Threads Logging | ManifestMaking
        VigilValidator*: BasicFoundation Vigil CodeMeasurement Files HardwareKeys SecretMemory Threads Logging
            Scheduling | Cryptography
        ForceFieldWire*: Scheduling TextForms | ForceFieldKnownAnswers ForceFieldTestMethods
        ForceField*: CForceField CLinux Cryptography Files ForceFieldWire Scheduling StrictJSON TextForms Threads
            Logging | ForceFieldTestMethods Fixtures > HostileWorker ForceFieldTestHost
        ForceFieldWorker*: CForceField CLibrary ForceFieldWire Scheduling | ForceField ForceFieldTestMethods
            ForceFieldTestSupport > ForceFieldTestWorker ForceFieldFoundationWorker
        AppAttest*: BasicFoundation TextForms Crypto X509 SwiftASN1 | AppAttestTestKit Fixtures
        AppAttestTestKit*: BasicFoundation AppAttest BigEndian TextForms Crypto X509 SwiftASN1
    Sources/Substrate
        Substrate*: CTexts CSodium CSecp256k1 TextForms SecretMemory SCALE Sr25519 | MetadataDescriptions Zstandard
        MetadataDescriptions*: Substrate
        Airgap*: RaptorQ SCALE Substrate TextForms | SecretMemory
        PictureService: ForceFieldWire TextForms
        PictureWorker: CForceField ForceFieldWire ForceFieldWorker PictureService Pictures QRCode ZXingReader Zstandard
            | CLibrary ForceFieldTestSupport QRFilms > PictureTestWorker CasemateWorkerProgram
        RuntimeService: ForceFieldWire
        RuntimeWorker: ForceFieldWorker RuntimeService SCALE WebAssembly Zstandard | WebAssemblyTestSupport
        RuntimeReader: AirgapLink ForceField ForceFieldWire RuntimeService SCALE Substrate TextForms |
            WebAssemblyTestSupport > RuntimeWorkerProgram
        AirgapLink*: CLibrary CLinux Files RaptorQ TextForms Threads Airgap ForceField ForceFieldWire PictureService |
            CFakeCamera PictureWorker QRCode Pictures Zstandard > PictureTestWorker CasemateWorkerProgram
    Sources/Signer
        Navigator: | Fixtures
        Signer*: BasicFoundation BigEndian CShippedFiles CSodium SplitBackup TextForms SecretMemory MainKey SCALE SQLite
            Substrate Airgap Files | GRDB MetadataDescriptions KnownAnswers SignerKnownAnswers
        HotSide*: BasicFoundation Airgap Files MetadataDescriptions SCALE SQLite SecretMemory StrictJSON Substrate
            TextForms Zstandard AsyncHTTPClient NIOCore NIOHTTP1 NIOPosix NIOSSL NIOWebSocket | GRDB Pictures QRCode
            QRFilms HotSideTestSupport HotSideKnownAnswers
        SplitBackup*: CSodium CTexts StrictJSON TextForms SecretMemory | Fixtures
        SeedDraft*: SecretMemory Substrate |
        NetworkDetector*: CLinux Files Threads | Fixtures
        SignerCore: BasicFoundation Navigator Signer SeedDraft SplitBackup NetworkDetector Airgap MainKey HardwareKeys
            Substrate MetadataDescriptions SecretMemory TextForms SCALE | SQLite
        Screens: Airgap Identicons Navigator NetworkDetector SecretMemory Signer SignerCore Substrate TextForms | Tours
    Sources/Window
        Adwaita: CAdwaita
        SignerSession: BasicFoundation Threads Airgap AirgapLink Files Navigator Screens SecretMemory SignerCore
            SplitBackup TextForms | NetworkDetector Signer
        SignerWindow: Adwaita Airgap AirgapLink CTexts Identicons QRCode Screens SecretMemory SignerSession
    Sources/Gate
        AppAttestClient*: StrictJSON TextForms Crypto |
        Gate*: CLibrary CPostgres Files Scheduling Sockets TextForms StrictJSON WebSocketFrames Telnet AppAttest Crypto
            X509 Configuration NIOCore NIOPosix NIOTLS NIOSSL NIOHTTP1 | GateKnownAnswers AppAttestTestKit SwiftASN1
            NIOEmbedded GateTestKit Fixtures > GateTestHost
    Sources/Programs
        Console: BasicFoundation CLinux Files TextForms SecretMemory ArgumentParser |
        AnimatedCodes: BasicFoundation Console Files QRCode QRFilms Airgap |
        VaultArguments: HardwareKeys MainKey MainKeyLogind ArgumentParser
        casemate/casemate: Threads CCleanStart Console InstalledSigner Files AnimatedCodes Signer SignerCore Navigator
            NetworkDetector MainKey MainKeyLogind HardwareKeys Airgap AirgapLink Substrate TextForms SecretMemory QRCode
            QRFilms CLinux CZeroingHeap SplitBackup SeedDraft Zstandard VaultArguments KnownAnswers SignerKnownAnswers
        InstalledSigner: BasicFoundation Threads CLinux Console VaultArguments Files TextForms SecretMemory HardwareKeys
            CodeMeasurement Vigil ForceField PictureService AirgapLink Substrate NetworkDetector MainKey Signer
            SignerCore Cryptography ExecutableImage Logging ArgumentParser |
        casemate-window/CasemateWindowProgram: CCleanStart CWindowStart CZeroingHeap CLinux Console Files MainKey
            InstalledSigner Screens Adwaita Signer SignerCore SignerSession SignerWindow TextForms
        airgap/AirgapProgram: Console Files AnimatedCodes Airgap AirgapLink PictureService RaptorQ Substrate TextForms
            QRCode QRFilms
        mainkey/MainKeyProgram: CCleanStart CLinux Console VaultArguments Files StrictJSON TextForms SecretMemory
            HardwareKeys MainKey MainKeyLogind MainKeyGRDB CertificatePins KnownAnswers MainKeyKnownAnswers GRDB
        generate-message/GenerateMessageProgram: Console Files AnimatedCodes HotSide RuntimeReader Airgap AirgapLink
            QRCode QRFilms Substrate TextForms
        ManifestMaking: BasicFoundation CodeMeasurement ExecutableImage StrictJSON Vigil |
        vigil-hash-tool/VigilHashTool: ManifestMaking Files CCleanStart CLinux CZeroingHeap Console TextForms
            ExecutableImage CodeMeasurement Cryptography Vigil HardwareKeys SecretMemory Logging
        vigil-validator/VigilValidatorProgram: Processes CCleanStart CLinux Console Files StrictJSON TextForms
            SecretMemory HardwareKeys CodeMeasurement Threads Vigil VigilValidator Logging
        vigil-validate/VigilValidateProgram: ManifestMaking Console Files CodeMeasurement ExecutableImage Vigil
            HardwareKeys
        vigil-demo/VigilDemo: CCleanStart CodeMeasurement Console Threads Vigil HardwareKeys SecretMemory Logging
        casemate-worker/CasemateWorkerProgram: ForceFieldWorker PictureWorker
        runtime-worker/RuntimeWorkerProgram: ForceFieldWorker RuntimeWorker
        ForceFieldWatch: CForceField Files ForceField ForceFieldWire Scheduling |
        forcefield/ForceFieldProgram: CForceField Console Files Scheduling TextForms ForceField ForceFieldWire
            ForceFieldWatch ForceFieldWorker
        GateTestKit: BasicFoundation Files StrictJSON TextForms WebSocketFrames AppAttest AppAttestTestKit AppAttestClient
            Crypto X509 SwiftASN1 NIOCore NIOPosix NIOSSL
        gate/GateProgram: Console Files StrictJSON TextForms AppAttest AppAttestTestKit AppAttestClient Gate GateTestKit X509
    Conformance
        KnownAnswers: BasicFoundation Processes SecretMemory StrictJSON TextForms | AppAttestKnownAnswers
            GateKnownAnswers MainKeyKnownAnswers VigilKnownAnswers ForceField ForceFieldWire ForceFieldWatch
            ForceFieldKnownAnswers SignerKnownAnswers QRCode Scheduling > HostileWorker ForceFieldProgram conformance
        MainKeyKnownAnswers: Cryptography KnownAnswers MainKey SecretMemory HardwareKeys CertificatePins MainKeyCompat
            GRDB Crypto
        VigilKnownAnswers: KnownAnswers Cryptography ExecutableImage CodeMeasurement Vigil HardwareKeys SecretMemory
        ForceFieldKnownAnswers: KnownAnswers CForceField ForceField ForceFieldWire ForceFieldWatch Scheduling
        GateKnownAnswers: KnownAnswers Telnet WebSocketFrames
        SignerKnownAnswers: BasicFoundation KnownAnswers Airgap Navigator NetworkDetector SCALE SecretMemory SeedDraft
            Signer SignerCore SplitBackup Substrate TextForms
        HotSideKnownAnswers: KnownAnswers Airgap HotSide MetadataDescriptions RuntimeService RuntimeWorker SCALE
            StrictJSON Substrate TextForms Zstandard
        AppAttestKnownAnswers: KnownAnswers TextForms AppAttest Crypto GateKnownAnswers GateTestKit StrictJSON
            WebSocketFrames Telnet AppAttestTestKit Gate
        conformance/conformance: Cryptography KnownAnswers MainKeyKnownAnswers VigilKnownAnswers ForceFieldKnownAnswers
            AppAttestKnownAnswers HotSide HotSideKnownAnswers SignerKnownAnswers Signer Substrate MetadataDescriptions
            RaptorQ Airgap AirgapLink SCALE Sr25519 TextForms SecretMemory QRCode Pictures ZXingReader Console
            ForceFieldWatch
    Tests
        TestSupport: CLibrary CLinux KnownAnswers TextForms
        CFakeCamera: CLinux
        EndToEnd/EndToEndTests: TestSupport Files Processes QRCode Pictures ZXingReader ExecutableImage Vigil
            CodeMeasurement HardwareKeys GateTestKit HotSideTestSupport HotSideKnownAnswers AppAttest AppAttestTestKit
            AppAttestClient StrictJSON WebSocketFrames GRDB Logging LogindTestSupport WebAssemblyTestSupport Substrate
            Fixtures > PictureTestWorker programs
    Tests/Bridges
        CForceFieldProbe SwiftForceFieldProbe: CForceField
    Tests/Primitives
        SmallPrimitivesTests: TestSupport BigEndian CLibcrypto Cryptography Processes Scheduling SecretMemory StrictJSON
            TextForms Zstandard
        WebAssemblyTestSupport: SCALE WebAssembly
    Tests/Trust
        CWorkerName:
        HostileWorker: CForceField CWorkerName ForceFieldWire ForceFieldTestMethods
        ForceFieldTestHost: CForceField CLinux ForceField ForceFieldTestMethods
        ForceFieldTestMethods: ForceFieldWire Scheduling
        ForceFieldTestSupport: CForceField ForceField ForceFieldWire Scheduling
        ForceFieldTestWorker: ForceFieldTestMethods ForceFieldWorker ForceFieldWire
        ForceFieldFoundationWorker: ForceFieldTestMethods ForceFieldWorker
        LogindTestSupport: CSystemd Sockets
    Tests/Substrate
        PictureTestWorker: ForceFieldWorker PictureWorker QRCode ZXingReader
    Tests/Signer
        HotSideTestSupport: HotSideKnownAnswers MetadataDescriptions SCALE StrictJSON Substrate TextForms NIOCore
            NIOHTTP1 NIOPosix NIOWebSocket
        Tours: Airgap Navigator NetworkDetector SCALE Screens SecretMemory Signer SignerCore Substrate TestSupport
            TextForms
    Tests/Window
        AdwaitaTestHost: AirgapLink CAdwaita CFakeCamera Adwaita Identicons Navigator Tours QRCode Screens SecretMemory
            Signer SignerCore SignerSession SignerWindow
        AdwaitaTests: CGIO Navigator TestSupport > AdwaitaTestHost
        WindowTestSupport: CGIO CZlib TestSupport > AdwaitaTestHost SecretsTestHost
        SecretsTestHost: Adwaita CZeroingHeap Screens SecretMemory SignerWindow TextForms
        WindowTests: SecretMemory SplitBackup Substrate TestSupport TextForms WindowTestSupport > programs
    Tests/Gate
        GateTestHost: AppAttest CLibrary Files Gate
    Tests/Programs
        MainKeyProgramTests: TestSupport HardwareKeys MainKey MainKeyGRDB SecretMemory GRDB > MainKeyProgram
    """

/// Square roots and rounding: Foundation would link the library of mathematics, and these rooms do without it.
let mathematics: LinkerSetting = .linkedLibrary("m", .when(platforms: [.linux]))
let linking: [String: LinkerSetting] = [
    "CJPEG": .linkedLibrary("jpeg"), "CZXing": .linkedLibrary("ZXing"),
    "LogindTestSupport": .linkedLibrary("systemd"),  // For the logind that tests put in the system's place.
    "QRCode": mathematics, "TextForms": mathematics, "WebAssembly": mathematics,
    "SwiftForceFieldProbe": .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux])),
    "HostileWorker": .unsafeFlags(["-static-executable"], .when(platforms: [.linux])),
]

/// Nothing that decides what a program does stays writable in it (docs/vigil.md): addresses and constants are read-only
/// before its first line. It holds Swift's libraries, exports what libraries ask for alone, and what a start runs lies
/// together (docs/speed.md).
func closingMemory(of program: String) -> LinkerSetting {
    let flags = words("-zrelro -znow -zseparate-code -znostart-stop-gc --no-export-dynamic --no-warn-symbol-ordering")
    let scripts = ["casemate", "CasemateWindowProgram"].contains(program) ? ["constants", "signer"] : ["constants"]
    let folder = "\(Context.packageDirectory)/packaging"
    let order = program == "casemate" ? ["--symbol-ordering-file", "\(folder)/casemate.order"] : []
    let placed = flags + ["-zcommon-page-size=65536"] + scripts.flatMap { ["-T", "\(folder)/\($0).ld"] } + order
    let foundation = words("-l_FoundationCollections -l_FoundationCShims -l_FoundationICU -lCoreFoundation")
    let all = ["-use-ld=lld", "-static-stdlib"] + (placed + foundation).flatMap { ["-Xlinker", $0] }
    return .unsafeFlags(all, .when(platforms: [.linux]))
}

/// The keys of a release (docs/vigil.md); a build without them trusts those that the configuration names.
let releaseKeys: [CSetting] = ["CASEMATE_RELEASE_KEYS", "CASEMATE_RELEASE_THRESHOLD"].map {
    .define($0, to: "\"\(Context.environment[$0] ?? "")\"")
}

func words(_ text: some StringProtocol) -> [String] { text.split(separator: " ").map { String($0) } }

/// A target as its line says it.
struct Row {
    var name, folder, floor: String
    var words: [String]
    var isLibrary = false, isProgram = false

    /// What it uses, apart from folders and from programs that tests start.
    var uses: [String] { words.prefix { $0 != ">" }.filter { $0 != "Fixtures" && !$0.contains("/") } }
    var starts: [String] { Array(words.drop { $0 != ">" }.dropFirst()) }

    var target: Target {
        let (isTest, runs) = (name.hasSuffix("Tests"), isProgram || executables.contains(name))
        let target = runs ? Target.executableTarget(name: name) : isTest ? .testTarget(name: name) : .target(name: name)
        target.path = "\(floor)/\(folder)"
        target.dependencies = Set(uses).sorted().map { dependency($0, of: name) }
        target.exclude = words.filter { $0 == "Fixtures" || $0.contains("/") }
        target.cSettings = name == "CReleaseKeys" ? releaseKeys : nil
        let quickly = ["-Onone", "-no-emit-module-separately-wmo"]  // docs/speed.md
        target.swiftSettings = isTest && name != "QRCodeTests" ? [.unsafeFlags(quickly)] : nil
        target.linkerSettings = isProgram ? [closingMemory(of: name)] : linking[name].map { [$0] }
        return target
    }
}

/// What a line says: of a target, and of its tests.
func rows(of line: String, in floor: String) -> [Row] {
    let colon = line.firstIndex(of: ":") ?? line.endIndex
    let own = words(line[colon...].dropFirst().prefix { $0 != "|" })
    let tests = line.firstIndex(of: "|").map { words(line[$0...].dropFirst()) }
    return words(line[..<colon]).flatMap { text -> [Row] in
        let names = text.split { $0 == "/" || $0 == "*" }.map(String.init)
        var row = Row(name: names[names.count - 1], folder: names[0], floor: floor, words: own)
        (row.isLibrary, row.isProgram) = (text.hasSuffix("*"), names.count > 1 && !text.hasSuffix("Tests"))
        if row.isProgram, own.contains("Console") { row.words += ["ArgumentParser", "BasicFoundation"] }
        guard let tests else { return [row] }
        let name = row.name + "Tests"
        let place = floor.replacing("Sources", with: "Tests").replacing("Conformance", with: "Tests/Conformance")
        return [row, Row(name: name, folder: name, floor: place, words: [row.name, "TestSupport"] + row.uses + tests)]
    }
}

var (floor, house) = ("", [Row]())
for line in table.replacing("\n        ", with: " ").split(separator: "\n").map(String.init) {
    if line.hasPrefix(" ") { house += rows(of: line, in: floor) } else { floor = line }
}
let executables = Set(house.flatMap(\.starts))

func dependency(_ name: String, of target: String) -> Target.Dependency {
    if let package = packages.first(where: { words($0.products).contains(name) }) {
        let identity = String(package.place.split(separator: "/")[1])
        return .product(name: name, package: identity, condition: .when(traits: [package.trait]))
    }
    if let trait = systemLibraries.first(where: { name == $0.target || name == $0.target + "Sonames" })?.trait {
        return .target(name: name, condition: .when(platforms: [.linux], traits: [trait]))
    }
    let isOfLinux = name.hasSuffix("Libcrypto") && words("Cryptography ExecutableImage").contains(target)  // CryptoKit
    return isOfLinux ? .target(name: name, condition: .when(platforms: [.linux])) : .target(name: name)
}

/// `ONLY=RaptorQ swift test` builds that target with what it needs, and its tests. Small rooms are tested together.
let only = words(Context.environment["ONLY"] ?? "")
precondition(only.allSatisfy { name in house.contains { $0.name == name } }, "ONLY=\(only) names no target here.")
var kept = Set<String>()
var wanted = house.filter { row in
    only.isEmpty || only.contains { row.name == $0 || row.name == $0 + "Tests" }
        || row.name == "SmallPrimitivesTests" && row.uses.contains(where: only.contains)
}.map(\.name)
while let name = wanted.popLast() {
    guard kept.insert(name).inserted, let row = house.first(where: { $0.name == name }) else { continue }
    wanted += row.uses + row.starts.flatMap { $0 == "programs" ? house.filter(\.isProgram).map(\.name) : [$0] }
}
let here = house.filter { kept.contains($0.name) }

let package = Package(
    name: "casemate",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: here.filter(\.isLibrary).map { .library(name: $0.name, targets: [$0.name]) }
        + here.filter(\.isProgram).map { .executable(name: $0.folder, targets: [$0.name]) },
    traits: Set(
        traits.map { .trait(name: $0.key, description: $0.value) } + [.default(enabledTraits: Set(traits.keys))]),
    dependencies: packages.filter { words($0.products).contains(where: kept.contains) }.map {
        .package(  // The traits of swift-configuration bring formats of files that the gate does not read.
            url: "https://github.com/\($0.place)", from: $0.version,
            traits: $0.place == "apple/swift-configuration" ? [] : [.defaults])
    },
    targets: systemLibraries.filter { kept.contains($0.target) }.map {
        .systemLibrary(
            name: $0.target, path: "Sources/Bridges/\($0.target)", pkgConfig: $0.pkgConfig,
            providers: [.apt([$0.apt])] + ($0.brew.map { [.brew([$0])] } ?? []))
    } + here.map(\.target),
    swiftLanguageModes: [.v6], cxxLanguageStandard: .cxx17
)
