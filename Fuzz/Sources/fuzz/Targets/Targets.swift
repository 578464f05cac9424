/// Every parser of outside bytes, in the order of the floors.
let targets: [FuzzTarget] = [
    .scale, .metadata, .leanMetadata, .transaction, .textCall, .payload, .proof, .records, .suri, .derivationPath,
    .ss58, .mnemonic, .picture, .film, .qrReader, .objectParameters, .transfer,
    .keyFile, .vaultBytes, .hardwareBlob, .certificate, .image, .processTexts, .behaviourProfile,
    .manifest, .evidence, .versionOne, .vigilMessage,
    .wireValue, .workerChannel, .hostChannel, .controlRecord, .stagePolicy,
    .gateHead, .proxyPreamble, .registerBody, .gateSettings,
]
