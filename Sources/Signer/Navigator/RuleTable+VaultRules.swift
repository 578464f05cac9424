extension RuleTable {
    /// The rules for the vault itself and for key sets that no specification of others has: names, phrases by choice,
    /// what protects the vault, keys of other wallets. They are tried behind all others.
    ///
    /// Source: `signer-product` section 6.7.
    static let vaultText = """
        T401 Keys/SeedMenu RenameSeed [detector=safe] → =/SeedRename
        T402 Keys/SeedMenu RenameSeed → =/=!Shield
        T403 Keys/SeedRename GoForward [detector!=safe] → =/=!Shield
        T404 Keys/SeedRename GoForward [rename ok] {renameSeed(name=data)} → SeedSelector/-
        T405 Keys/SeedRename GoForward → =/=!Error
        T411 Settings/* ViewProtection → Protection/-
        T412 Protection/- GoBack → Settings/-
        T413 Protection/- ChangeProtection [detector!=safe] → =/=!Shield
        T414 Protection/- ChangeProtection [protection ok,code new] {holdProtection(data,secret)} → =/RecoveryCode
        T415 Protection/- ChangeProtection [protection ok] {holdProtection(data,secret)} → =/ConfirmProtection
        T416 Protection/- ChangeProtection → =/=!Error
        T417 AirgapCheck/- ChangeProtection [detector!=safe] → =/=!Shield
        T418 AirgapCheck/- ChangeProtection [protection ok,code new] {holdProtection(data,secret)} → =/RecoveryCode
        T419 AirgapCheck/- ChangeProtection [protection ok] {holdProtection(data,secret)} → =/ConfirmProtection
        T420 AirgapCheck/- ChangeProtection → =/=!Error
        T421 */RecoveryCode GoForward [detector!=safe] → =/=!Shield
        T422 */RecoveryCode GoForward [code ok] → =/ConfirmProtection
        T423 */RecoveryCode GoForward → =/=!Error
        T424 */ConfirmProtection GoForward [detector!=safe] → =/=!Shield
        T425 AirgapCheck/ConfirmProtection GoForward [credential ok] {onboard(secret)} → SeedSelector/NewSeedMenu
        T426 Protection/ConfirmProtection GoForward [change ok,locked] {changeProtection(secret);lock} → Unlock/-
        T427 Protection/ConfirmProtection GoForward [change ok] {changeProtection(secret)} → Protection/-
        T428 */ConfirmProtection GoForward → =/=!Error
        T431 NewSeed/- MakePhrase [detector!=safe] → =/=!Shield
        T432 NewSeed/- MakePhrase [phrase ok] {generatePhrase(data,secret)} → NewSeed/NewSeedBackup
        T433 NewSeed/- MakePhrase → =/=!Error
        T441 Keys/SeedMenu PreviewKeys [detector=safe] → KeyPreview/-
        T442 Keys/SeedMenu PreviewKeys → =/=!Shield
        T443 RecoverSeedPhrase/- PreviewKeys [detector=safe] → KeyPreview/-
        T444 RecoverSeedPhrase/- PreviewKeys → =/=!Shield
        T445 KeyPreview/- GoForward [detector!=safe] → =/=!Shield
        T446 KeyPreview/- GoForward [preview ok] {previewKeys(data,secret)} → KeyPreview/-
        T447 KeyPreview/- GoForward → =/=!Error
        T448 KeyPreview/- GoBack [draft] → RecoverSeedPhrase/-
        T449 KeyPreview/- GoBack → Keys/-
        """
}
