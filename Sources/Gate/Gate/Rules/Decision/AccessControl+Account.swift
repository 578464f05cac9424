internal import AppAttest
internal import NIOHTTP1

/// Whether keys are bound to the accounts that the service names.
///
/// Source: `appattest-gate` section 3.15.
enum AccountPolicy: String, CaseIterable, Sendable {
    case off
    /// Keys are bound to accounts where the service names one.
    case on
    /// A connection without an account is not let in.
    case require
}

/// The header field in which the service names the account of the client that connects. No client sees it.
enum AccountHeader {
    static let name = "X-Gate-Account"
}

/// Source: `appattest-gate` section 3.15.
extension AccessControl {
    /// Whether the service's answer is looked at before anybody is let in.
    var bindsAccounts: Bool { rules.accounts != .off && parts.accounts != nil }

    /// Binds a key to the account that the service names in its answer.
    ///
    /// - Returns: why its holder does not get in: the account is banned, or the key was used with too many. A key that
    ///   comes with a banned account is revoked.
    func bindAccount(
        of identity: Identity, answer: HTTPHeaders, to visitor: Visitor
    ) async -> Refusal? {
        guard case .app(let app) = identity, let names = parts.accounts, rules.accounts != .off else { return nil }
        do throws(Refusal) {
            guard let account = try account(in: answer, names) else { return nil }
            let binding = try await ask(.bind) { try await parts.keys.bind(app.keyID, to: account) }
            switch binding {
            case .bound:
                metrics.accounts.add(.bound)
                return nil
            case .unknown: return Refusal(.unknownKey)
            case .tooMany:
                metrics.accounts.add(.tooMany)
                return Refusal(.tooManyAccounts)
            case .banned:
                metrics.accounts.add(.banned)
                parts.events.record(
                    GateEvent(.accountBanned, .warning, of: visitor).with {
                        $0.key = KeyName(app.keyID)
                        $0.detail = SafeText(account.shortName)
                    })
                noteProven(app.keyID, isGood: false)
                let revocation = Revocation(at: parts.clock.now, reason: "banned account")
                _ = try await ask(.revoke) { try await parts.keys.revoke(app.keyID, revocation) }
                return Refusal(.accountBanned)
            }
        } catch {
            return error
        }
    }

    /// - Returns: nil where the service names none, and need not.
    private func account(in answer: HTTPHeaders, _ names: AccountNames) throws(Refusal) -> AccountTag? {
        switch answer.single(AccountHeader.name) {
        case .one(let name):
            if let tag = names.tag(of: name) { return tag }
        case .absent where rules.accounts == .on:
            metrics.accounts.add(.unnamed)
            return nil
        case .absent, .several: break
        }
        metrics.accounts.add(.unnamed)
        metrics.upstreamErrors.add(.refused)
        parts.events.record(
            GateEvent(.upstreamFailed, .warning).with {
                $0.detail = SafeText("refused: its answer does not name one account (\(AccountHeader.name))")
            })
        throw Refusal(.upstreamRefused)
    }

    /// Bans an account by the name that the service has for it.
    ///
    /// - Returns: its keys, whose connections are to be ended.
    func banAccount(_ name: String, reason: String) async throws(Refusal) -> [KeyID] {
        let account = try account(named: name)
        let ban = AccountBan(account: account, at: parts.clock.now, reason: reason)
        let keys = try await ask(.ban) { try await parts.keys.ban(ban) }
        for key in keys { noteProven(key, isGood: false) }
        parts.events.record(
            GateEvent(.accountBanned, .warning).with {
                $0.detail = SafeText("\(account.shortName), \(keys.count) keys")
            })
        return keys
    }

    /// Lets an account in again. Its keys stay revoked.
    func liftBan(ofAccount name: String) async throws(Refusal) {
        let account = try account(named: name)
        let wasBanned = try await ask(.ban) { try await parts.keys.liftBan(of: account) }
        guard wasBanned else { throw Refusal(.notFound) }
        parts.events.record(GateEvent(.accountBanLifted).with { $0.detail = SafeText(account.shortName) })
    }

    private func account(named name: String) throws(Refusal) -> AccountTag {
        guard let names = parts.accounts else { throw Refusal(.accountsOff) }
        guard let account = names.tag(of: name) else {
            throw Refusal(.malformedHeader, field: "X-Gate-Account")
        }
        return account
    }
}
