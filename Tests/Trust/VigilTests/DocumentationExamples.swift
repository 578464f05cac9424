#if os(Linux)
    import CodeMeasurement
    import HardwareKeys
    import Logging
    import SecretMemory
    import Vigil

    // The examples of the library's documentation, which have to compile. They are not run: taking an installation into
    // use closes the whole process to debuggers.

    private struct NotTrusted: Error {
        let reason: Reason

        init(_ reason: Reason) {
            self.reason = reason
        }
    }

    /// The example of the actor `Vigil`.
    func exampleOfVigil(unlock: (UnsafeRawBufferPointer) -> Void) async throws {
        let vigil = Vigil(
            configuration: "/opt/example/etc/vigil-app.json", tpm: .standard, logger: Logger(label: "example"))
        try await vigil.initialize()
        let report = await vigil.report()
        guard report.result.isTrusted, let grant = report.grant else { throw NotTrusted(report.reason) }
        grant.withUnsafeBytes { share in unlock(share) }
    }

    /// The example of `InstalledApp`, and what a program of threads does with one.
    func exampleOfInstalledApp(token: SecretBytes, logger: Logger) throws {
        let app = try InstalledApp(configuration: "/etc/example/vigil-app.json", tpm: .standard, logger: logger)
        if try !app.isProvisioned { try app.provision(token: token) }
        _ = app.makeVigil()
        let validation = app.validate()
        guard let session = validation.session else { throw NotTrusted(validation.report.reason) }
        defer { session.close() }
        let report = session.revalidate(within: app.timeout)
        guard report.result.isTrusted else { throw NotTrusted(report.reason) }
    }
#endif
