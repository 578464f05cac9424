import SCALE
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Events of the log")
struct EventTests {
    static let genesis = Hash256([UInt8](repeating: 0xe1, count: 32))!
    static let signer = MultiSigner.sr25519([UInt8](repeating: 0x8e, count: 32))
    static let specs = NetworkSpecs(
        base58Prefix: 42, color: "#660D35", decimals: 12, scheme: .sr25519, genesisHash: genesis, logo: "westend",
        name: "westend", pathID: "//westend", secondaryColor: "#262626", title: "Westend", unit: "WND")

    /// One of each case, in the order of the encoding.
    static let all: [Event] = {
        let metadata = Event.MetadataRecord(name: "westend", version: 9000, hash: genesis)
        let network = Event.NetworkRecord(
            specs: OrderedNetworkSpecs(specs: specs, order: 3), verifier: .custom(.none), general: Verifier(signer))
        let by = VerifierValue(signer)
        let transaction = Event.SigningRecord(
            transaction: [0xa4, 4, 3], networkName: "westend", signedBy: by, comment: "rent")
        let message = Event.MessageRecord(message: "3c42", networkName: "westend", signedBy: by, comment: "")
        let identity = Event.IdentityRecord(
            seedName: "Alice", scheme: .sr25519, publicKey: signer.publicKey, path: "//westend", genesis: genesis)
        return [
            .metadataAdded(metadata), .metadataRemoved(metadata), .metadataSigned(metadata, signedBy: by),
            .networkSpecsAdded(network), .networkSpecsRemoved(network), .networkSpecsSigned(specs, signedBy: by),
            .networkVerifierSet(genesis: genesis, .general, general: .none), .generalVerifierSet(Verifier(signer)),
            .typesAdded(hash: genesis, .none), .typesRemoved(hash: genesis, Verifier(signer)),
            .typesSigned(hash: genesis, signedBy: by), .transactionSigned(transaction),
            .transactionSignError(transaction), .messageSigned(message), .messageSignError(message),
            .identityAdded(identity), .identityRemoved(identity), .identitiesWiped, .deviceWasOnline,
            .resetDangerRecord, .seedCreated(name: "Alice"), .seedRemoved(name: "Alice"),
            .seedNameWasShown(name: "Alice"), .secretWasExported(identity), .warning("NotVerified"), .wrongPassword,
            .userEntry("note"), .systemEntry("é"), .historyCleared, .databaseInitiated,
        ]
    }()

    @Test("each published event has its encoding, number and colour")
    func knownAnswers() throws {
        let cases = try KnownRecords.json("history.json")["events"].array
        #expect(cases.count == 28)
        for known in cases {
            let event = try KnownRecords.event(known["event"])
            let bytes = try #require(known["scale"].hex)
            #expect(event.scaleEncoded == bytes, "\(event.name)")
            #expect(try Event(scaleEncoded: bytes) == event, "\(event.name)")
            #expect(event.name == known["event"]["kind"].string)
            #expect(Int(event.index) == known["index"].int, "\(event.name)")
            // Showing a phrase is dangerous here, which the original does not say.
            let isShowing = if case .seedNameWasShown = event { true } else { false }
            #expect(event.isDangerous == (isShowing || known["danger"].bool == true), "\(event.name)")
        }
    }

    @Test("an event is its number and its fields")
    func encodings() throws {
        let plain: [(Event, String)] = [
            (.databaseInitiated, "1d"), (.historyCleared, "1c"), (.deviceWasOnline, "12"), (.wrongPassword, "19"),
            (.seedCreated(name: "Alice"), "1414416c696365"), (.userEntry("note 1"), "1a186e6f74652031"),
            (.generalVerifierSet(.none), "0700"),
            (.generalVerifierSet(Verifier(Self.signer)), "07010001" + String(repeating: "8e", count: 32)),
        ]
        for (event, hex) in plain {
            #expect(Hex.encode(event.scaleEncoded) == hex, "\(event.name)")
        }
    }

    @Test("the numbers are 0 to 29 in the order of the cases, and every event reads back")
    func numbers() throws {
        #expect(Self.all.map(\.index) == Array(0..<30))
        #expect(Set(Self.all.map(\.name)).count == 30)
        for event in Self.all { #expect(try Event(scaleEncoded: event.scaleEncoded) == event) }
    }

    @Test("exactly these events are shown in the colour of danger")
    func danger() {
        #expect(
            Self.all.filter(\.isDangerous).map(\.name) == [
                "TypesRemoved", "TransactionSignError", "MessageSignError", "DeviceWasOnline", "ResetDangerRecord",
                "SeedNameWasShown", "SecretWasExported", "Warning", "WrongPassword",
            ])
        #expect(HistoryEntry(timestamp: "", events: [.databaseInitiated, .wrongPassword]).isDangerous)
        #expect(!HistoryEntry(timestamp: "", events: [.databaseInitiated, .userEntry("")]).isDangerous)
    }

    @Test("a cut event, a longer one and an unknown number are refused")
    func refusals() throws {
        for event in Self.all {
            let bytes = event.scaleEncoded
            for end in bytes.indices {
                #expect(throws: ScaleError.self) { try Event(scaleEncoded: Array(bytes[..<end])) }
            }
            #expect(throws: ScaleError.self) { try Event(scaleEncoded: bytes + [0]) }
        }
        for number in UInt8(30)...255 {
            #expect(throws: ScaleError.invalidEnumIndex(offset: 0, found: number, type: "Event")) {
                try Event(scaleEncoded: [number])
            }
        }
    }

    @Test("whatever bytes read as an entry are the bytes that it writes")
    func randomBytes() throws {
        var random = SplitMix64(state: 11)
        let entry = HistoryEntry(timestamp: "2025-11-21 00:00:00.1", events: Self.all)
        let whole = entry.scaleEncoded
        #expect(try HistoryEntry(scaleEncoded: whole) == entry)
        for round in 0..<4000 {
            var bytes = whole
            if round % 2 == 0 {
                bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            } else {
                bytes = (0..<Int.random(in: 0..<64, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            }
            guard let read = try? HistoryEntry(scaleEncoded: bytes) else { continue }
            #expect(read.scaleEncoded == bytes)
        }
    }
}
