/// An account that is not let in any more, whatever key it comes with.
package struct AccountBan: Equatable, Sendable {
    /// The account, which is no name.
    package let account: AccountTag
    /// When the account was banned.
    package let at: Timestamp
    /// Why, for people.
    package let reason: String

    /// Makes a record of its parts.
    package init(account: AccountTag, at: Timestamp, reason: String) {
        self.account = account
        self.at = at
        self.reason = reason
    }
}

/// What came of binding a key to an account.
package enum AccountBinding: Equatable, Sendable {
    case bound
    /// The account is banned; the key was bound to it all the same.
    case banned
    /// The key was used with ``AttestedKey/maximumAccounts`` others.
    case tooMany
    /// There is no such key.
    case unknown
}

/// How far the ban of a key's device has come: Apple keeps it, and takes it only with a fresh token of that device.
///
/// Source: `appattest-gate` section 3.16.
package enum DeviceBan: String, CaseIterable, Sendable {
    /// The ban is wanted; no token has come since that Apple took.
    case pending
    /// Apple keeps the ban.
    case set
}
