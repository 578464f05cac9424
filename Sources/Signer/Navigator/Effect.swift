/// What a rule does beside moving, by the name that its line has for it.
///
/// Source: `signer-product` sections 6.6 and 6.7.
package enum Effect: String, CaseIterable, Sendable {
    /// Forgets what was scanned, with the secrets that it holds.
    case purgeTransaction = "purgeTransaction"
    /// Zeroises the secrets that are held.
    case wipeSecret = "wipeSecret"
    /// Zeroises the words that were typed.
    case wipeDraft = "wipeDraft"
    /// Zeroises the shares and the passphrase.
    case wipeShareSet = "wipeShareSet"
    /// Ends a swipe or a selection.
    case clearSpecialty = "clearSpecialty"
    /// Notes that the danger of having been online was seen.
    case acknowledgeDanger = "ackDanger"
    /// Adds a comment to the log.
    case addUserEntry = "addUserEntry(data)"
    /// Gives the seed another name.
    case renameSeed = "renameSeed(name=data)"
    /// Makes a phrase as the data say, from the throws in the secret as well.
    case makePhrase = "generatePhrase(data,secret)"
    /// Shows which keys other wallets make of the words.
    case previewKeys = "previewKeys(data,secret)"
    /// Holds a change of what protects the vault until it is confirmed.
    case holdProtection = "holdProtection(data,secret)"
    /// Makes the change that is held.
    case changeProtection = "changeProtection(secret)"
    /// Makes a phrase of 24 words.
    case generatePhrase = "generatePhrase24"
    /// Stores the seed with its name, and with root keys where the data say so.
    case createSeed = "createSeed(name,secret,roots=data)"
    /// Stores the seed from shares under the name in the data, with root keys.
    case createSeedFromShares = "createSeed(name=data,phrase,roots=true)"
    /// Makes the key of a path.
    case createAddress = "createAddress(path=data,secret)"
    /// Keeps the key that was there already, to be shown.
    case rememberCollision = "rememberCollision"
    /// Holds the secrets until a password is known.
    case holdSecrets = "holdSecrets(secret)"
    /// Keeps the comment of the person who signs.
    case setComment = "comment=data"
    /// Gives the signature out.
    case sign = "sign"
    /// Writes the entry of what was done.
    case log = "log"
    /// Logs that signing failed.
    case logSignError = "logSignError"
    /// Logs that a password was wrong.
    case logWrongPassword = "logWrongPassword"
    /// Does what the update says.
    case applyStub = "applyStub"
    /// Makes the keys of the derivations below the seed in the data.
    case importDerivations = "importDerivations(seed=data,secret)"
    /// Gives the signature of the content out.
    case signContent = "signContent"
    /// Sets the text of the word that is typed.
    case setDraftText = "draft.text(data)"
    /// Takes a word into the phrase.
    case pushDraftWord = "draft.push(data)"
    /// Takes a key into the selection, or out of it.
    case toggleInSelection = "toggleInSelection(data)"
    /// Begins a selection if there is none.
    case startSelection = "none -> start multi"
    /// Swipes a key, or ends that.
    case toggleSwipe = "toggleSwipe(data)"
    /// Selects all keys, or none if all were.
    case selectAll = "selection = all, or empty if all were selected"
    /// Makes further keys like the swiped one.
    case createIncrementSet = "createIncrementSet(count=data,secret)"
    /// Removes the key.
    case removeKey = "removeKey"
    /// Removes the selected keys.
    case removeKeys = "removeKeysSet"
    /// Removes the seed and its keys.
    case removeSeed = "removeSeed"
    /// Shows the keys in another network.
    case setNetwork = "setNetwork(data)"
    /// Goes to the next one, and from the last to the first.
    case selectNext = "select next, wraps"
    /// Goes to the previous one, and from the first to the last.
    case selectPrevious = "select previous, wraps"
    /// Keeps the path until its password was repeated.
    case holdPath = "hold path"
    /// Shows the entries of the log before those that are shown.
    case showOlder
    /// Shows the entries of the log behind those that are shown.
    case showNewer
    /// Clears the log.
    case clearHistory = "clearHistory"
    /// Reads the payload.
    case parse = "parse(data)"
    /// Removes the types.
    case removeTypes = "removeTypes"
    /// The specs of the network are to be signed.
    case setContentToSpecs = "content=specs"
    /// The metadata are to be signed.
    case setContentToMetadata = "content=metadata"
    /// The types are to be signed.
    case setContentToTypes = "content=types"
    /// The content of the update that was refused is to be signed.
    case setContentToRefused = "content=refused"
    /// Removes the network and its metadata.
    case removeNetwork = "removeNetwork"
    /// Removes the metadata.
    case removeMetadata = "removeMetadata"
    /// Sets the vault up under the credential.
    case onboard = "onboard(secret)"
    /// Opens the store of secrets.
    case unlock = "unlock(secret)"
    /// Seals the store of secrets.
    case lock = "lock"
    /// Notes that the danger was confirmed.
    case acknowledgeRisk = "acknowledge(data)"
    /// Derives the keys that were asked for on the fly.
    case deriveDynamic = "deriveDynamic(secret)"
    /// Adds the key sets that were scanned.
    case importKeySets = "importKeySets(secret)"
    /// Begins an empty set of shares.
    case newShareSet = "newShareSet"
    /// Takes a share into the set.
    case addShare = "addShare(data)"
    /// Splits the seed as the data say.
    case makeShares = "makeShares(data,secret)"
    /// Gives the secret of the key out, which counts as exposed from then on.
    case exportSecret = "exportSecret(secret)"
    /// Keeps the contact.
    case saveContact = "saveContact(data)"
    /// Removes the contact.
    case removeContact = "removeContact"
    /// Looks at the network anew, by what is let pass now.
    case lookAnew
    /// Runs the self check.
    case selfCheck = "selfCheck"
    /// Blocks the network for ever.
    case blockNetwork = "blockNetwork"
    /// Wipes all, and leaves no general verifier.
    case wipeAllForgettingVerifier = "wipeAll(general=none)"
    /// Wipes all, and sets the general verifier of the start.
    case wipeAll = "wipeAll(general=default)"
}
