extension NonceIssuer {
    /// The issuer that a configuration asks for.
    init(_ configuration: GateConfiguration, _ parts: GateServer.Parts) throws(GateServerError) {
        let settings = configuration.nonces
        var mode = Mode.stored
        if settings.mode == .sealed { mode = .sealed(try Self.seal(settings.secretPath)) }
        self.init(
            mode, lifetime: settings.lifetime, bindsAddress: settings.bindsAddress,
            store: parts.nonces, isShared: configuration.stores.nonces.isShared, clock: parts.clock,
            random: parts.random)
    }

    private static func seal(_ path: String?) throws(GateServerError) -> NonceSeal {
        guard let path else { return NonceSeal() }
        guard let seal = NonceSeal(key: try FileContent.read(path, for: .nonceSecretPath)) else {
            throw .setting(.nonceSecretPath, "The file has to hold \(NonceSeal.keyBytes) bytes.")
        }
        return seal
    }
}

extension AccountNames {
    /// - Returns: nil where keys are not bound to accounts.
    init?(_ configuration: GateConfiguration) throws(GateServerError) {
        guard let path = configuration.accountSecretPath else { return nil }
        guard let names = AccountNames(secret: try FileContent.read(path, for: .accountSecretPath)) else {
            throw .setting(.accountSecretPath, "The file has to hold \(AccountNames.secretBytes) bytes.")
        }
        self = names
    }
}

extension AdminAuthoriser.Access {
    init(_ settings: GateConfiguration.Admin) throws(GateServerError) {
        switch settings.place {
        case .unixSocket: self = .everyone
        case .off, .host:
            guard let path = settings.tokenPath else {
                self = .nobody
                return
            }
            var token = try FileContent.read(path, for: .adminTokenPath)
            while let last = token.last, [0x0a, 0x0d, 0x20].contains(last) { token.removeLast() }
            guard token.count >= 16 else { throw .setting(.adminTokenPath, "The token has to have at least 16 bytes.") }
            self = .token(token)
        }
    }
}
