import SecretMemory

/// The addresses that a phrase gives in each wallet, side by side, to find out which wallet made a known address.
///
///     let preview = try PhrasePreview(mnemonic, password: nil)
///     let rows = try preview.rows(paths: [.junctions(.root)], accounts: 3, prefix: nil)
///
/// The phrase is stretched twice when the preview is made, which takes milliseconds, and not again.
package struct PhrasePreview: Sendable {
    /// Where in the trees to look.
    package enum Path: Hashable, Sendable {
        /// `//polkadot/0`, for the schemes with junctions.
        case junctions(DerivationPath)
        /// `m/44'/60'/0'/0/0`, for the scheme that its coin belongs to.
        case bip32(BIP32Path)

        package init(parsing text: String) throws(SURIError) {
            guard text.hasPrefix("m") else {
                self = .junctions(try DerivationPath(parsing: text))
                return
            }
            do { self = .bip32(try BIP32Path(parsing: text)) } catch { throw .invalidBIP32Path(error) }
        }
    }

    /// One line of the comparison.
    package struct Row: Sendable {
        package let scheme: WalletScheme
        /// The path, empty for the root.
        package let path: String
        /// Fails where the scheme cannot follow the path.
        package let key: Result<Key, KeyError>
    }

    package struct Key: Equatable, Sendable {
        /// 32 bytes, or 33 for secp256k1.
        package let publicKey: [UInt8]
        /// SS58, or `0x` and 40 digits with their check sum.
        package let address: String
    }

    /// Accounts of one scheme at the most.
    package static let accountLimit = 100

    private let miniSecret: SecretBytes
    private let standardSeed: SecretBytes

    /// - Parameter password: for junctions the password behind `///`, for BIP-32 and Ledger the passphrase of BIP-39.
    ///   UTF-8.
    package init(_ mnemonic: Mnemonic, password: SecretBytes?) throws(MnemonicError) {
        miniSecret = try mnemonic.miniSecret(password: password)
        standardSeed = try mnemonic.standardSeed(passphrase: password)
    }

    /// - Parameters:
    ///   - paths: junctions, for every scheme that has them, the root if there are none; and paths of BIP-32, which
    ///     take the place of the counted accounts in the scheme that their coin belongs to.
    ///   - accounts: how many each scheme without a path shows; more than ``accountLimit`` are not.
    ///   - prefix: of SS58 addresses; nil for that of the Ledger app's network, and 42 elsewhere.
    /// - Returns: by scheme, in each in the order of `paths`.
    package func rows(paths: [Path], accounts: Int, prefix: UInt16?) throws(SS58Error) -> [Row] {
        var rows: [Row] = []
        for scheme in WalletScheme.allCases {
            if let signatures = scheme.junctionScheme {
                for path in Self.junctions(paths) {
                    let pair = Self.attempt(try KeyPair(scheme: signatures, miniSecret: miniSecret).derive(path))
                    rows.append(try Self.row(scheme, path: "\(path)", pair: pair, prefix: prefix))
                }
            } else {
                for path in Self.bip32Paths(of: scheme, paths, accounts: accounts) {
                    let pair = Self.attempt(try self.pair(scheme, path))
                    rows.append(try Self.row(scheme, path: "\(path)", pair: pair, prefix: prefix))
                }
            }
        }
        return rows
    }

    private static func attempt(_ body: @autoclosure () throws(KeyError) -> KeyPair) -> Result<KeyPair, KeyError> {
        do { return .success(try body()) } catch { return .failure(error) }
    }

    // MARK: Paths

    private static func junctions(_ paths: [Path]) -> [DerivationPath] {
        let junctions = paths.compactMap { if case .junctions(let path) = $0 { path } else { nil } }
        return junctions.isEmpty ? [.root] : junctions
    }

    private static func bip32Paths(of scheme: WalletScheme, _ paths: [Path], accounts: Int) -> [BIP32Path] {
        let wanted = paths.compactMap { if case .bip32(let path) = $0 { path } else { nil } }
            .filter { owner(of: $0) == scheme }
            .map { scheme == .ethereumBIP44 ? $0 : $0.hardened }
        guard wanted.isEmpty else { return wanted }
        return (0..<UInt16(max(0, min(accounts, accountLimit)))).map { account in
            scheme.ledgerCoin.map { .ledger(coin: $0, account: account) } ?? .ethereum(account: account)
        }
    }

    /// Every coin that no Ledger app here has is taken for one with Ethereum addresses.
    private static func owner(of path: BIP32Path) -> WalletScheme {
        WalletScheme.allCases.first { scheme in
            scheme.ledgerCoin.map { UInt32($0) == path.coin } ?? false
        } ?? .ethereumBIP44
    }

    // MARK: Keys

    private func pair(_ scheme: WalletScheme, _ path: BIP32Path) throws(KeyError) -> KeyPair {
        scheme == .ethereumBIP44
            ? try .ethereumBIP44(seed: standardSeed, path: path) : try .ledger(seed: standardSeed, path: path)
    }

    private static func row(
        _ scheme: WalletScheme, path: String, pair: Result<KeyPair, KeyError>, prefix: UInt16?
    ) throws(SS58Error) -> Row {
        switch pair {
        case .success(let pair):
            let address = try address(of: pair, scheme, prefix: prefix ?? scheme.defaultPrefix)
            return Row(scheme: scheme, path: path, key: .success(Key(publicKey: pair.publicKey, address: address)))
        case .failure(let error):
            return Row(scheme: scheme, path: path, key: .failure(error))
        }
    }

    private static func address(
        of pair: KeyPair, _ scheme: WalletScheme, prefix: UInt16
    ) throws(SS58Error) -> String {
        if pair.scheme == .ethereum, let address = pair.multiSigner.ethereumAddress {
            return EthereumAddress.checksummed(address)
        }
        return scheme == .ecdsaVault
            ? try SS58.encode(pair.publicKey, prefix: prefix) : try pair.multiSigner.ss58(prefix: prefix)
    }
}
