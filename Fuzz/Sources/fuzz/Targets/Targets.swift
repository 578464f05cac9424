/// Every parser of outside bytes, in the order of the floors.
let targets: [FuzzTarget] = [
    .scale, .metadata, .leanMetadata, .transaction, .textCall, .payload, .update, .proof, .forgedProof, .records, .suri,
    .derivationPath,
    .ss58, .mnemonic, .backupShare, .zstdFrame, .wasmModule, .wasmRun, .picture, .film, .qrReader, .objectParameters,
    .transfer, .payloadText,
    .keyFile, .vaultBytes, .hardwareBlob, .certificate, .image, .processTexts, .behaviourProfile,
    .manifest, .evidence, .keyAndSignature, .versionOne, .vigilMessage,
    .wireValue, .workerChannel, .hostChannel, .controlRecord, .stagePolicy,
    .strictJSON, .frameTracker, .webSocketEndpoint, .handshakeHeaders, .telnet, .clientRequest,
    .signerPayload, .tokenProperties, .updateFile,
    .deterministicCBOR, .authenticatorData, .attestation, .assertion, .receipt,
    .gateHead, .proxyPreamble, .registerBody, .deviceAnswer, .gateSettings, .httpHead, .httpBody, .httpAnswer,
]
