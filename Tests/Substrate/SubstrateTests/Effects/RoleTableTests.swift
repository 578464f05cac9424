import Foundation
import TestSupport
import Testing

@testable import Substrate

@Suite("Roles of arguments")
struct RoleTableTests {
    /// The metadata of the release, and known answers where there are some.
    private static let blobs: [(name: String, blob: [UInt8])] = {
        let shipped = packageRoot.appending(path: "Sources/Bridges/CShippedFiles/Files")
        let folders = [
            shipped, SharedData.url("signer-wire/metadata"), SharedData.url("substrate-crypto/rfc78/metadata"),
        ]
        return folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? [])
                .filter { ["metadata", "scale"].contains($0.pathExtension) }
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
                .compactMap { url in (try? Data(contentsOf: url)).map { (url.lastPathComponent, Array($0)) } }
        }
        // One file holds metadata of a version that nobody reads.
        .filter { 12...16 ~= $0.1[4] }
    }()

    @Test("every call of all known metadata is in the table, and every account, amount and place in it has a role")
    func completeness() throws {
        var files = 0
        var seen = 0
        var shown: [ShownReason: Set<String>] = [:]
        var missing: Set<String> = []
        var names: Set<String> = []
        /// Calls that take what no argument says, and amounts of assets that no argument names.
        var paying: Set<String> = []
        var unnamed: Set<String> = []
        for (_, blob) in Self.blobs {
            // Some metadata state no version, and nothing can be read by them.
            guard let census = try? CallCensus(blob) else { continue }
            files += 1
            for call in census.calls {
                seen += 1
                guard names.insert(call.name + "\(call.values.map(\.path))").inserted else { continue }
                guard let roles = RoleTable.shared.roles(pallet: call.pallet, method: call.method) else {
                    missing.insert("\(call.name): no line; \(call.values.map { "\($0.path) \($0.kind)" })")
                    continue
                }
                if roles.marks.contains(.pays) { paying.insert(call.name) }
                unnamed.formUnion(roles.missingAssets(in: call.arguments).map { "\(call.name): \($0)" })
                for value in call.values where value.kind != .call {
                    let role = roles.role(at: value.path)
                    // Metadata 12 and 13 do not tell what stands inside a structure; each part is looked up when it is
                    // met.
                    if role == nil, value.path.count == 1, roles.hasParts(value.path[0]) { continue }
                    if case .shown(let reason)? = role { shown[reason, default: []].insert(call.name) }
                    if role?.fits(value.kind) != true {
                        missing.insert(
                            "\(call.name) \(value.path.joined(separator: ".")): \(value.kind), role \(role as Any)")
                    }
                }
            }
        }
        print("\(files) of \(Self.blobs.count) files, \(seen) calls seen, \(seen - missing.count) classified")
        for (reason, calls) in shown.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            print("shown without judgement (\(reason.rawValue)): \(calls.count) calls, \(calls.sorted().prefix(3))…")
        }
        print("\(paying.count) calls pay what no argument says: \(paying.sorted())")
        print("amounts of an unknown asset in some version of their call: \(unnamed.sorted())")
        print("\(missing.count) unclassified that move value or rights")
        #expect(missing.isEmpty, "\(missing.sorted().joined(separator: "\n"))")
        #expect(seen > 1000)
    }

    @Test("a line for all calls of a pallet stands only where none of them can be one that takes something of a signer")
    func wholePallets() {
        let lines = RoleTable.text.split(separator: "\n").map { $0.split(separator: " ") }
        let whole = lines.filter { $0.count > 1 && $0[1] == "*" }
        #expect(whole.count > 3)
        for line in whole where !line[0].hasSuffix("Configuration") {
            #expect(line.dropFirst(2) == ["~evidence"], "\(line)")
        }
    }

    @Test("calls that take what no argument says, or bind or burn it, have a mark")
    func unsaid() throws {
        func marks(_ call: String) throws -> CallMarks {
            let parts = call.split(separator: ".").map { String($0) }
            return try #require(RoleTable.shared.roles(pallet: parts[0], method: parts[1]), "\(call)").marks
        }
        for call in [
            "Paras.remove_upgrade_cooldown", "Indices.freeze", "Crowdloan.create", "AssetConversion.create_pool",
            "CollatorSelection.register_as_candidate", "ElectionProviderMultiPhase.submit",
            "AuthorMapping.add_association",
            "MultiBlockElectionSigned.register", "MoonbeamOrbiters.orbiter_register", "Bounties.accept_curator",
            "ChildBounties.accept_curator", "Society.bid", "Treasury.propose_spend", "Assets.create",
            "Proxy.add_proxy", "Proxy.create_pure", "Proxy.announce", "Recovery.create_recovery", "Identity.add_sub",
            "EVM.call", "EVM.create2",
        ] {
            #expect(try marks(call).contains(.pays), "\(call)")
        }
        for call in ["Multisig.as_multi", "Multisig.approve_as_multi", "Referenda.submit", "Preimage.note_preimage"] {
            #expect(try marks(call).contains(.deposits), "\(call)")
        }
        for call in ["Multisig.cancel_as_multi", "Multisig.as_multi_threshold_1", "EVM.withdraw"] {
            #expect(try marks(call).isDisjoint(with: [.pays, .deposits]), "\(call)")
        }
        for call in ["Paras.remove_upgrade_cooldown", "Indices.freeze", "Registrar.deregister"] {
            #expect(try marks(call).contains(.destroys), "\(call)")
        }
        for call in ["Broker.assign", "Nfts.lock_collection", "Nfts.update_mint_settings", "Registrar.add_lock"] {
            #expect(try marks(call).contains(.keys), "\(call)")
        }
        #expect(RoleTable.shared.roles(pallet: "Paras", method: "novel") == nil)
        let repaid = RoleTable.shared.roles(pallet: "Society", method: "waive_repay")?.role(of: "amount")
        #expect(repaid == .amount(.most, of: .ofCall, countsNumbers: false))
    }

    @Test("every token of the table is a role or a mark")
    func spelling() {
        #expect(RoleTable.misspelt(in: RoleTable.text).isEmpty)
    }
}

extension RoleTableTests {
    @Test("a pallet's own line comes before that of several, and a method's before that of all")
    func precedence() throws {
        let table = RoleTable(
            """
            *Assets|Other burn who=from
            # The one without a star.
            PoolAssets burn who=to !destroys
            Babe * ~evidence
            Babe plan_config_change !chain
            """)
        #expect(table.roles(pallet: "PoolAssets", method: "burn")?.role(of: "who") == .party(.receiver))
        #expect(table.roles(pallet: "ForeignAssets", method: "burn")?.role(of: "who") == .party(.source))
        #expect(table.roles(pallet: "Asset", method: "burn") == nil)
        #expect(table.roles(pallet: "Babe", method: "report")?.role(of: "anything") == .shown(.evidence))
        #expect(table.roles(pallet: "Babe", method: "plan_config_change")?.marks == .chain)
        #expect(table.roles(pallet: "Babe", method: "plan_config_change")?.role(of: "x") == .shown(.chain))
    }

    @Test("a part has its own role, or that of the nearest value around it")
    func parts() throws {
        let roles = try #require(
            RoleTable("Vesting send to=to schedule=limit schedule.locked=sent#/?").roles(
                pallet: "Vesting", method: "send"))
        #expect(roles.hasParts("schedule") && !roles.hasParts("to"))
        #expect(roles.role(at: ["schedule", "locked"]) == .amount(.sent, of: .unknown, countsNumbers: true))
        #expect(roles.role(at: ["schedule", "locked", "deeper"]) == .amount(.sent, of: .unknown, countsNumbers: true))
        #expect(roles.role(at: ["schedule", "per_block"]) == .amount(.limit, of: .ofCall, countsNumbers: false))
        #expect(roles.role(at: ["other"]) == nil)
    }

    @Test("shares are of what other arguments say")
    func shares() throws {
        let roles = try #require(
            RoleTable("A burn one=burnt/=shares two=least/=shares:pool three=most/=shares:a,b").roles(
                pallet: "A", method: "burn"))
        #expect(roles.role(of: "one") == .amount(.burnt, of: .named("shares", of: []), countsNumbers: false))
        #expect(roles.role(of: "two") == .amount(.least, of: .named("shares", of: ["pool"]), countsNumbers: false))
        #expect(roles.role(of: "three") == .amount(.most, of: .named("shares", of: ["a", "b"]), countsNumbers: false))
    }

    @Test("parts of a tuple have roles by number, and share that of their structure where the table tells none apart")
    func numberedParts() throws {
        let roles = try #require(
            RoleTable("A pay items.1=sent#/? other.locked=limit").roles(pallet: "A", method: "pay"))
        #expect(roles.role(at: ["items", "1"]) == .amount(.sent, of: .unknown, countsNumbers: true))
        #expect(roles.role(at: ["items", "0"]) == nil)
        #expect(
            roles.role(at: ["other", "1", "locked"]) == .amount(.limit, of: .ofCall, countsNumbers: false))
    }

    @Test("a mark may hang on a bool, and amounts may come several times")
    func flagsAndTimes() throws {
        let roles = try #require(
            RoleTable("A pay burn=!destroys count=times").roles(pallet: "A", method: "pay"))
        #expect(roles.role(of: "burn") == .flag(.destroys) && roles.role(of: "count") == .times)
        #expect(roles.marks.isEmpty)
        #expect(RoleTable.misspelt(in: "A pay burn=!destroy") == ["burn=!destroy"])
    }

    @Test("what a call around others does itself is not lost")
    func wrappers() throws {
        func hasEffects(pallet: String, method: String) -> Bool? {
            RoleTable.shared.roles(pallet: pallet, method: method)?.hasEffects
        }
        #expect(hasEffects(pallet: "Authority", method: "authorize_call") == true)
        #expect(hasEffects(pallet: "PolkadotXcm", method: "execute") == true)
        #expect(hasEffects(pallet: "TransactionPayment", method: "with_fee_currency") == true)
        for (pallet, method) in [
            ("Utility", "batch_all"), ("Proxy", "proxy"), ("Multisig", "as_multi"), ("Sudo", "sudo_as"),
            ("Utility", "dispatch_as"), ("Council", "propose"), ("Scheduler", "schedule"),
        ] {
            #expect(hasEffects(pallet: pallet, method: method) == false, "\(pallet).\(method)")
        }
    }
}

extension CallRoles {
    /// Arguments that an amount refers to and that a version of the call does not have.
    fileprivate func missingAssets(in arguments: [String]) -> [String] {
        entries.compactMap { entry in
            guard case .amount(_, let asset, _) = entry.role, arguments.contains(where: { entry.path.hasPrefix($0) })
            else { return nil }
            switch asset {
            case .argument(let name), .firstItem(let name), .lastItem(let name):
                return arguments.contains(name) ? nil : name
            case .named(_, let names): return names.first { !arguments.contains($0) }
            case .ofCall, .pallet, .unknown: return nil
            }
        }
    }
}

extension ArgumentRole {
    /// Whether a value of a kind can have the role.
    fileprivate func fits(_ kind: CallCensus.Value.Kind) -> Bool {
        switch (self, kind) {
        case (.shown, _), (.structured, _): true
        case (.party, .account), (.amount, .amount), (.asset, .location), (.opaqueCall, _), (.callHash, _): true
        default: false
        }
    }
}
