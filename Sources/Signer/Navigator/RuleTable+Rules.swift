extension RuleTable {
    /// The rules of the navigator, in the order in which they are tried: those of alerts, then our own, then the
    /// original's. A line has the form
    ///
    ///     T048 Transaction/- GoForward [tx=Sign,pwd] {holdSecrets(secret);comment=data} → =/EnterPassword
    ///
    /// with the screen and the modal before (`*` any, `-` none, `+` any but none), the alert before (`!`), the action,
    /// the guards, which must all hold, the effects, and the screen, modal and alert behind it (`=` unchanged, `~`
    /// toggled). The core is stricter than T215: it has left the page for the words before it asks the table.
    ///
    /// Source: `signer-product` sections 6.6 and 6.7.
    static let text = """
        T001 */*!ErrorDisplay GoBack → Settings/-
        T002 */*!Error GoBack → =/=
        T003 */*!Shield GoBack → =/=
        T004 */*!Shield AckShield [detector=wasOnline] {ackDanger} → =/=
        T005 */*!+ * → =/=!keep
        T201 */* Start [not onboarded] {purgeTransaction} → AirgapCheck/-
        T202 */* Start [locked] {purgeTransaction} → Unlock/-
        T203 AirgapCheck/- GoForward [detector=safe,credential ok] {onboard(secret)} → SeedSelector/NewSeedMenu
        T204 AirgapCheck/- GoForward [detector=safe] → =/=!Error
        T205 AirgapCheck/- GoForward → =/=!Shield
        T206 Unlock/- GoForward [unlock ok,seeds=none] {unlock(secret)} → SeedSelector/NewSeedMenu
        T207 Unlock/- GoForward [unlock ok] {unlock(secret)} → SeedSelector/-
        T208 Unlock/- GoForward → =/=!Error
        T209 */* Lock [unlocked] {purgeTransaction;wipeSecret;lock} → Unlock/-
        T210 Transaction/- GoForward [tx=Sign,detector!=safe] → =/=!Shield
        T211 Transaction/- GoForward [tx=Derivations,detector!=safe] → =/=!Shield
        T212 Transaction/EnterPassword GoForward [detector!=safe] → =/=!Shield
        T213 Transaction/SelectSeed GoForward [detector!=safe] → =/=!Shield
        T214 NewSeed/* GoForward [detector!=safe] → =/=!Shield
        T215 RecoverSeedPhrase/- GoForward [detector!=safe] → =/=!Shield
        T216 DeriveKey/* GoForward [detector!=safe] → =/=!Shield
        T217 Keys/* Increment [detector!=safe] → =/=!Shield
        T218 SignSufficientCrypto/* GoForward [detector!=safe] → =/=!Shield
        T219 SelectSeedForBackup/* BackupSeed [detector!=safe] → =/=!Shield
        T220 SplitRecover/SplitPassphrase GoForward [detector!=safe] → =/=!Shield
        T221 SplitExport/- GoForward [detector!=safe] → =/=!Shield
        T222 Transaction/- GoForward [tx=Sign,risk open] → =/ConfirmRisk
        T223 Transaction/ConfirmRisk GoForward [ack ok] {acknowledge(data)} → =/-
        T224 Transaction/ConfirmRisk GoForward → =/=!Error
        T225 Transaction/ConfirmRisk GoBack → =/-
        T226 Transaction/- GoForward [tx=Dynamic,detector!=safe] → =/=!Shield
        T227 Transaction/- GoForward [tx=Dynamic,derive ok] {deriveDynamic(secret)} → =/DynamicReady
        T228 Transaction/- GoForward [tx=Dynamic] → =/=!Error
        T229 Transaction/- GoForward [tx=KeySets,detector!=safe] → =/=!Shield
        T230 Transaction/- GoForward [tx=KeySets,import ok] {importKeySets(secret)} → SeedSelector/-
        T231 Transaction/- GoForward [tx=KeySets] → =/=!Error
        T232 SeedSelector/NewSeedMenu RecoverSplit [detector=safe] {newShareSet} → SplitRecover/-
        T233 SeedSelector/NewSeedMenu RecoverSplit → =/=!Shield
        T234 SplitRecover/- ShareFetched [share last] {addShare(data)} → =/SplitPassphrase
        T235 SplitRecover/- ShareFetched [share ok] {addShare(data)} → =/-
        T236 SplitRecover/- ShareFetched → =/=!Error
        T237 SplitRecover/SplitPassphrase GoForward [recover ok] {createSeed(name=data,phrase,roots=true)} → Keys/-
        T238 SplitRecover/SplitPassphrase GoForward [wrong,attempt<3] → =/=!Error
        T239 SplitRecover/SplitPassphrase GoForward [wrong,seeds=none] {wipeShareSet} → SeedSelector/NewSeedMenu!Error
        T240 SplitRecover/SplitPassphrase GoForward [wrong] {wipeShareSet} → SeedSelector/-!Error
        T241 SplitRecover/SplitPassphrase GoForward → =/=!Error
        T242 SplitRecover/- GoBack [seeds=none] {wipeShareSet} → SeedSelector/NewSeedMenu
        T243 SplitRecover/- GoBack {wipeShareSet} → SeedSelector/-
        T244 Keys/SeedMenu SplitSeed [detector=safe] → SplitExport/-
        T245 Keys/SeedMenu SplitSeed → =/=!Shield
        T246 SplitExport/- GoForward [split ok] {makeShares(data,secret);log} → =/SplitShard
        T247 SplitExport/- GoForward → =/=!Error
        T248 SplitExport/SplitShard NextUnit {select next, wraps} → =/=
        T249 SplitExport/SplitShard PreviousUnit {select previous, wraps} → =/=
        T250 SplitExport/SplitShard GoForward [all shown] → =/SplitPassphrase
        T251 SplitExport/SplitShard GoForward → =/=!Error
        T252 SplitExport/SplitPassphrase GoForward {wipeShareSet} → Keys/-
        T253 SplitExport/+ GoBack {wipeShareSet} → =/-
        T254 SplitExport/- GoBack → Keys/-
        T255 SeedSelector/* ExportKeySets [data,known] → KeySetExport/-
        T256 SeedSelector/* ExportKeySets → =/=!Error
        T257 KeySetExport/- GoBack → SeedSelector/-
        T258 KeyDetails/KeyDetailsAction ExportSecret [detector=safe,auth] {exportSecret(secret);log} → =/ExportSecret
        T259 KeyDetails/KeyDetailsAction ExportSecret [detector=safe] → =/=!Error
        T260 KeyDetails/KeyDetailsAction ExportSecret → =/=!Shield
        T261 Settings/* OpenAddressBook → AddressBook/-
        T262 AddressBook/- GoBack → Settings/-
        T263 AddressBook/* NewContact → =/ContactEdit
        T264 AddressBook/ContactEdit GoForward [contact ok] {saveContact(data)} → =/-
        T265 AddressBook/ContactEdit GoForward → =/=!Error
        T266 AddressBook/* SelectContact [known] → ContactDetails/-
        T267 AddressBook/* SelectContact → =/=!Error
        T268 ContactDetails/- GoBack → AddressBook/-
        T269 ContactDetails/* EditContact → =/ContactEdit
        T270 ContactDetails/ContactEdit GoForward [contact ok] {saveContact(data)} → =/-
        T271 ContactDetails/ContactEdit GoForward → =/=!Error
        T272 ContactDetails/* RemoveContact {removeContact} → AddressBook/-
        T273 Settings/* RunSelfCheck {selfCheck} → SelfCheck/-
        T274 SelfCheck/- GoBack → Settings/-
        T275 NetworkDetails/NetworkDetailsMenu BlockNetwork → =/ConfirmTyped
        T276 NetworkDetails/ConfirmTyped GoForward [typed ok] {blockNetwork} → ManageNetworks/-
        T277 Verifier/* ForgetGeneralVerifier → =/ConfirmTyped
        T278 Verifier/ConfirmTyped GoForward [typed ok,detector=safe] {wipeAll(general=none)} → SeedSelector/NewSeedMenu
        T279 Settings/* WipeAll → =/ConfirmTyped
        T280 Settings/ConfirmTyped GoForward [typed ok,detector=safe] {wipeAll(general=default)} \
            → SeedSelector/NewSeedMenu
        T281 */ConfirmTyped GoForward [typed ok] → =/=!Shield
        T282 */ConfirmTyped GoForward → =/=!Error
        T301 Transaction/- SignAsPublisher [tx=Refused] {content=refused} → SignSufficientCrypto/-
        T302 SignSufficientCrypto/- GoBack [content=refused] → Scan/-
        T303 SignSufficientCrypto/- GoForward [risk open] → =/ConfirmRisk
        T304 SignSufficientCrypto/ConfirmRisk GoForward [ack ok] {acknowledge(data)} → =/-
        T305 SignSufficientCrypto/ConfirmRisk GoForward → =/=!Error
        T306 SignSufficientCrypto/ConfirmRisk GoBack → =/-
        T341 Log/- NextUnit {showOlder} → =/-
        T342 Log/- PreviousUnit {showNewer} → =/-
        T343 Log/LogRight CompareLog [log contains] → =/=
        T344 Log/LogRight CompareLog → =/=!Error
        T345 Settings/* OpenNetworkPolicy → NetworkPolicy/-
        T346 NetworkPolicy/- GoForward [policy ok] {lookAnew} → =/-
        T347 NetworkPolicy/- GoForward → =/=!Error
        T348 NetworkPolicy/- GoBack → Settings/-
        T349 ManageNetworks/- OpenMetadataFiles → MetadataFiles/-
        T350 MetadataFiles/- GoBack → ManageNetworks/-
        T351 MetadataFiles/- MetadataFetched [metadata ok] → =/-
        T352 MetadataFiles/- MetadataFetched → =/-!Error
        T353 MetadataFiles/- GoForward [token ok] → =/-
        T354 MetadataFiles/- GoForward → =/-!Error
        T355 MetadataFiles/- ProofFetched [proof ok] → =/-
        T356 MetadataFiles/- ProofFetched → =/-!Error
        T357 MetadataFiles/- CompareHash [hash ok] → =/-
        T358 MetadataFiles/- CompareHash → =/-!Error
        T359 MetadataFiles/- TransactionFetched [prove ok] → =/MadeFile
        T360 MetadataFiles/- TransactionFetched → =/-!Error
        T361 MetadataFiles/- MakeLean [lean ok] → =/MadeFile
        T362 MetadataFiles/- MakeLean → =/-!Error
        T006 */* Start [seeds=none] {purgeTransaction} → SeedSelector/NewSeedMenu
        T007 */* Start {purgeTransaction} → SeedSelector/-
        T008 */* NavbarLog [footer] {purgeTransaction} → Log/-
        T009 */* NavbarScan [footer] {purgeTransaction} → Scan/-
        T010 */* NavbarKeys [footer,seeds=none] {purgeTransaction} → SeedSelector/NewSeedMenu
        T011 */* NavbarKeys [footer] {purgeTransaction} → SeedSelector/-
        T012 */* NavbarSettings [footer] {purgeTransaction} → Settings/-
        T013 */* Shield → =/=!Shield
        T014 Transaction/+ GoBack {purgeTransaction} → Log/-
        T015 SignSufficientCrypto/+ GoBack {wipeSecret} → Settings/-
        T016 */+ GoBack → =/-
        T017 Keys/- GoBack [specialty=multi] {clearSpecialty} → Keys/-
        T018 Keys/- GoBack [seeds=none] → SeedSelector/NewSeedMenu
        T019 Keys/- GoBack → SeedSelector/-
        T020 SignSufficientCrypto/- GoBack [content=types] → Settings/-
        T021 SignSufficientCrypto/- GoBack → NetworkDetails/-
        T022 LogDetails/- GoBack → Log/-
        T023 Transaction/- GoBack {purgeTransaction} → Scan/-
        T024 KeyDetails/- GoBack {clearSpecialty} → Keys/-
        T025 KeyDetailsMulti/- GoBack {clearSpecialty} → Keys/-
        T026 NewSeed/- GoBack [seeds=none] → SeedSelector/NewSeedMenu
        T027 NewSeed/- GoBack → SeedSelector/-
        T028 RecoverSeedName/- GoBack [seeds=none] → SeedSelector/NewSeedMenu
        T029 RecoverSeedName/- GoBack → SeedSelector/-
        T030 RecoverSeedPhrase/- GoBack {wipeDraft} → RecoverSeedName/-
        T031 DeriveKey/- GoBack {wipeSecret} → Keys/-
        T032 Verifier/- GoBack → Settings/-
        T033 ManageNetworks/- GoBack → Settings/-
        T034 NetworkDetails/- GoBack → ManageNetworks/-
        T035 SelectSeedForBackup/- GoBack → Settings/-
        T036 Documents/- GoBack → Settings/-
        T037 Log/LogComment GoForward {addUserEntry(data)} → Log/-
        T038 NewSeed/- GoForward [seedName ok] {generatePhrase24} → NewSeed/NewSeedBackup
        T039 NewSeed/- GoForward [seedName bad] → =/=!Error
        T040 NewSeed/NewSeedBackup GoForward {createSeed(name,secret,roots=data)} → Keys/-
        T041 RecoverSeedName/- GoForward [seedName free] → RecoverSeedPhrase/-
        T042 RecoverSeedName/- GoForward [seedName taken] → =/=!Error
        T043 RecoverSeedPhrase/- GoForward {createSeed(name,secret,roots=data)} → Keys/-
        T044 DeriveKey/* GoForward [create ok] {createAddress(path=data,secret)} → Keys/-
        T045 DeriveKey/* GoForward [exists] {rememberCollision} → DeriveKey/-!Error
        T046 DeriveKey/* GoForward → =/=!Error
        T047 Transaction/- GoForward [tx=Read] → =/=
        T048 Transaction/- GoForward [tx=Sign,pwd] {holdSecrets(secret);comment=data} → =/EnterPassword
        T049 Transaction/- GoForward [tx=Sign,sign ok] {sign;log} → =/SignatureReady
        T050 Transaction/- GoForward [tx=Sign] → =/=!Error
        T051 Transaction/EnterPassword GoForward [sign ok] {sign;log} → =/SignatureReady
        T052 Transaction/EnterPassword GoForward [sign next pwd] {sign;log} → =/EnterPassword
        T053 Transaction/EnterPassword GoForward [wrong,attempt<3] {logSignError} → =/EnterPassword!Error
        T054 Transaction/EnterPassword GoForward [wrong] {logSignError;purgeTransaction;wipeSecret} → Log/-!Error
        T055 Transaction/EnterPassword GoForward → =/=!Error
        T056 Transaction/- GoForward [tx=Stub:AddSpecs,ok] {applyStub} → NetworkDetails/-
        T057 Transaction/- GoForward [tx=Stub:LoadMeta,ok] {applyStub} → NetworkDetails/-
        T058 Transaction/- GoForward [tx=Stub:LoadTypes,ok] {applyStub} → ManageNetworks/-
        T059 Transaction/- GoForward [tx=Derivations,seeds=none] → =/=!Error
        T060 Transaction/- GoForward [tx=Derivations] → =/SelectSeed
        T061 Transaction/SelectSeed GoForward [import ok] {importDerivations(seed=data,secret)} → Keys/-
        T062 Transaction/SelectSeed GoForward → =/=!Error
        T063 Transaction/- GoForward → =/=!Error
        T064 ManageNetworks/* GoForward [key ok] → NetworkDetails/-
        T065 ManageNetworks/* GoForward → =/=!Error
        T066 SignSufficientCrypto/- GoForward [key pwd] {holdSecrets(secret)} → =/EnterPassword
        T067 SignSufficientCrypto/- GoForward [sign ok] {signContent;log} → =/SufficientCryptoReady
        T068 SignSufficientCrypto/- GoForward → =/=!Error
        T069 SignSufficientCrypto/EnterPassword GoForward [sign ok] {signContent;log;wipeSecret} \
            → =/SufficientCryptoReady
        T070 SignSufficientCrypto/EnterPassword GoForward [wrong,attempt<3] {logWrongPassword} → =/EnterPassword!Error
        T071 SignSufficientCrypto/EnterPassword GoForward [wrong] {logWrongPassword;wipeSecret} → Log/-!Error
        T072 SignSufficientCrypto/EnterPassword GoForward → =/=!Error
        T073 SeedSelector/* SelectSeed [known,data] → Keys/-
        T074 SeedSelector/* SelectSeed [data] → =/=!Error
        T075 SeedSelector/* RightButtonAction → =/NewSeedMenu~
        T076 SeedSelector/NewSeedMenu NewSeed [detector=safe] → NewSeed/-
        T077 SeedSelector/NewSeedMenu NewSeed → =/=!Shield
        T078 SeedSelector/NewSeedMenu RecoverSeed [detector=safe] → RecoverSeedName/-
        T079 SeedSelector/NewSeedMenu RecoverSeed → =/=!Shield
        T080 RecoverSeedPhrase/* TextEntry {draft.text(data)} → RecoverSeedPhrase/-
        T081 RecoverSeedPhrase/* PushWord {draft.push(data)} → RecoverSeedPhrase/-
        T082 Keys/* SelectKey [specialty=multi] {toggleInSelection(data)} → Keys/-
        T083 Keys/* SelectKey [key ok] → KeyDetails/-
        T084 Keys/* SelectKey → =/=!Error
        T085 Keys/* NewKey [detector=safe] → DeriveKey/-
        T086 Keys/* NewKey → =/=!Shield
        T087 Keys/* Swipe [key ok] {toggleSwipe(data)} → Keys/-
        T088 Keys/* Swipe → =/=!Error
        T089 Keys/* LongTap [key ok] {toggleInSelection(data); none -> start multi} → Keys/-
        T090 Keys/* LongTap → =/=!Error
        T091 Keys/* SelectAll [specialty=multi] {selection = all, or empty if all were selected} → Keys/-
        T092 Keys/* ExportMultiSelect [specialty=multi,selection nonempty] → KeyDetailsMulti/-
        T093 Keys/* Increment [specialty=swiped,count ok] {createIncrementSet(count=data,secret)} → Keys/-
        T094 Keys/* Increment [specialty=swiped] → =/=!Error
        T095 Keys/* RemoveKey [specialty=swiped,ok] {removeKey} → Keys/-
        T096 Keys/* RemoveKey [specialty=multi,ok] {removeKeysSet} → Keys/-
        T097 Keys/* RightButtonAction {clearSpecialty} → =/SeedMenu~
        T098 Keys/SeedMenu BackupSeed [detector=safe] → =/Backup
        T099 Keys/SeedMenu BackupSeed → =/=!Shield
        T100 Keys/SeedMenu RemoveSeed [auth] {removeSeed} → Log/-
        T101 Keys/NetworkSelector NetworkSelector → =/-
        T102 Keys/* NetworkSelector → =/NetworkSelector
        T103 Keys/NetworkSelector ChangeNetwork [key ok] {setNetwork(data)} → Keys/-
        T104 Keys/NetworkSelector ChangeNetwork → =/=!Error
        T105 KeyDetails/* RightButtonAction → =/KeyDetailsAction~
        T106 KeyDetails/KeyDetailsAction RemoveKey [ok] {removeKey} → Log/-
        T107 KeyDetailsMulti/* NextUnit {select next, wraps} → KeyDetailsMulti/-
        T108 KeyDetailsMulti/* PreviousUnit {select previous, wraps} → KeyDetailsMulti/-
        T109 DeriveKey/* CheckPassword [path has password] {hold path} → DeriveKey/PasswordConfirm
        T110 DeriveKey/* CheckPassword → =/-!Error
        T111 Log/* RightButtonAction → =/LogRight~
        T112 Log/LogRight CreateLogComment → =/LogComment
        T113 Log/LogRight ClearLog {clearHistory} → Log/-
        T114 Log/* ShowLogDetails [order ok] → LogDetails/-
        T115 Log/* ShowLogDetails → =/=!Error
        T116 Scan/* TransactionFetched {purgeTransaction;parse(data)} → Transaction/-
        T117 Settings/* ManageNetworks → ManageNetworks/-
        T118 Settings/* ViewGeneralVerifier → Verifier/-
        T119 Settings/* ShowDocuments → Documents/-
        T120 Settings/* BackupSeed [detector=safe,no data] → SelectSeedForBackup/-
        T121 Settings/* BackupSeed [no data] → =/=!Shield
        T122 SelectSeedForBackup/* BackupSeed [data,known] → Keys/Backup
        T123 SelectSeedForBackup/* BackupSeed [data] → Log/-!Error
        T124 ManageNetworks/* RightButtonAction → =/TypesInfo~
        T125 ManageNetworks/TypesInfo SignTypes {content=types} → SignSufficientCrypto/-
        T126 ManageNetworks/TypesInfo RemoveTypes [ok] {removeTypes} → Log/-
        T127 ManageNetworks/TypesInfo RemoveTypes → =/=!Error
        T128 NetworkDetails/* RightButtonAction → =/NetworkDetailsMenu~
        T129 NetworkDetails/NetworkDetailsMenu RemoveNetwork [ok] {removeNetwork} → ManageNetworks/-
        T130 NetworkDetails/NetworkDetailsMenu SignNetworkSpecs {content=specs} → SignSufficientCrypto/-
        T131 NetworkDetails/* ManageMetadata [version ok] → =/ManageMetadata
        T132 NetworkDetails/* ManageMetadata → =/=!Error
        T133 NetworkDetails/ManageMetadata RemoveMetadata [ok] {removeMetadata} → NetworkDetails/-
        T134 NetworkDetails/ManageMetadata SignMetadata {content=metadata} → SignSufficientCrypto/-
        """
}
