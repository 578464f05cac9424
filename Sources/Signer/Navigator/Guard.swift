/// A condition of a rule. Those that say that something succeeded are asked once for an action: asking carries it out,
/// and the effects of the rule that fires keep it.
///
/// Source: `signer-product` sections 6.6 and 6.7.
package enum Guard: String, CaseIterable, Sendable {
    /// The screen shows the footer.
    case hasFooter = "footer"
    /// There are no seeds.
    case noSeeds = "seeds=none"
    /// Several keys are being selected.
    case selectingSeveral = "specialty=multi"
    /// A key is swiped.
    case swiped = "specialty=swiped"
    /// The content to sign are types.
    case contentIsTypes = "content=types"
    /// The content to sign is of an update that this vault refused.
    case contentIsRefused = "content=refused"
    /// What was scanned is an update that this vault refused, and that can be signed for others.
    case transactionIsRefused = "tx=Refused"
    /// What was scanned can only be read.
    case transactionIsRead = "tx=Read"
    /// What was scanned can be signed.
    case transactionIsSign = "tx=Sign"
    /// What was scanned adds a network.
    case transactionAddsSpecs = "tx=Stub:AddSpecs"
    /// What was scanned brings metadata.
    case transactionLoadsMetadata = "tx=Stub:LoadMeta"
    /// What was scanned brings types.
    case transactionLoadsTypes = "tx=Stub:LoadTypes"
    /// What was scanned are derivations.
    case transactionIsDerivations = "tx=Derivations"
    /// What was scanned asks for keys on the fly.
    case transactionIsDynamic = "tx=Dynamic"
    /// What was scanned are key sets.
    case transactionIsKeySets = "tx=KeySets"
    /// The key of the next item has a password.
    case nextNeedsPassword = "pwd"
    /// The key that was chosen has a password.
    case keyNeedsPassword = "key pwd"
    /// Signing succeeded, and nothing is left to sign.
    case signed = "sign ok"
    /// Signing succeeded, and the next item needs a password.
    case signedNextNeedsPassword = "sign next pwd"
    /// The password or credential was wrong.
    case wrongCredential = "wrong"
    /// This failure is the first or second.
    case attemptsLeft = "attempt<3"
    /// The name can be that of a new seed.
    case seedNameGood = "seedName ok"
    /// The name cannot be that of a new seed.
    case seedNameBad = "seedName bad"
    /// The name is free.
    case seedNameFree = "seedName free"
    /// The name is taken.
    case seedNameTaken = "seedName taken"
    /// The key was made.
    case created = "create ok"
    /// The key was there already.
    case keyExists = "exists"
    /// The operation that the rule names succeeded.
    case succeeded = "ok"
    /// The import succeeded.
    case imported = "import ok"
    /// The key that the data name is known.
    case keyKnown = "key ok"
    /// What the data name is known.
    case known = "known"
    /// There are data.
    case hasData = "data"
    /// There are no data.
    case noData = "no data"
    /// The network detector is safe.
    case detectorSafe = "detector=safe"
    /// The network detector is not safe.
    case detectorUnsafe = "detector!=safe"
    /// The machine was online, and is not now.
    case detectorWasOnline = "detector=wasOnline"
    /// Something is selected.
    case selectionNonempty = "selection nonempty"
    /// The count is one that can be made, and the keys were made.
    case countGood = "count ok"
    /// The host has shown that the credential was accepted.
    case authenticated = "auth"
    /// The path has a password.
    case pathHasPassword = "path has password"
    /// The order is that of an entry.
    case orderKnown = "order ok"
    /// The log had the digest in the data, and has only grown since.
    case logContains = "log contains"
    /// What is let pass was changed, by somebody who has shown the right to it.
    case networkPolicySet = "policy ok"
    /// The file holds metadata.
    case metadataRead = "metadata ok"
    /// The token's decimals, symbol and prefix make a hash.
    case tokenGood = "token ok"
    /// The proof was verified, and fits the metadata where there are some.
    case proofVerified = "proof ok"
    /// The proof amounts to the hash in the data.
    case hashSame = "hash ok"
    /// A proof was made for the transaction.
    case proved = "prove ok"
    /// The metadata have a lean form.
    case madeLean = "lean ok"
    /// The version is one of the network.
    case versionKnown = "version ok"
    /// The vault was not set up yet.
    case notOnboarded = "not onboarded"
    /// The store of secrets is sealed.
    case locked = "locked"
    /// The store of secrets is open.
    case unlocked = "unlocked"
    /// The credential is strong enough, and was repeated.
    case credentialGood = "credential ok"
    /// The credential opened the store.
    case unlockSucceeded = "unlock ok"
    /// A danger is not confirmed yet.
    case riskOpen = "risk open"
    /// The danger was confirmed by its own text.
    case acknowledged = "ack ok"
    /// The keys were derived.
    case derived = "derive ok"
    /// The share belongs to the set.
    case shareGood = "share ok"
    /// The share completes the set.
    case shareCompletes = "share last"
    /// The shares and the passphrase gave the phrase.
    case recovered = "recover ok"
    /// The seed was split.
    case split = "split ok"
    /// Every share was shown once at least.
    case allShown = "all shown"
    /// The contact can be kept.
    case contactGood = "contact ok"
    /// The seed has another name now.
    case renamed = "rename ok"
    /// The phrase was made.
    case phraseMade = "phrase ok"
    /// The words that were typed are looked at.
    case hasDraft = "draft"
    /// The keys that other wallets make were derived.
    case previewed = "preview ok"
    /// The change of what protects the vault can be made.
    case protectionGood = "protection ok"
    /// A new recovery code belongs to the change.
    case codeIsNew = "code new"
    /// The new recovery code was repeated.
    case codeRepeated = "code ok"
    /// What protects the vault was changed.
    case protectionChanged = "change ok"
    /// The text is the one that was asked for.
    case typedRight = "typed ok"
}
