internal import AppAttest

/// Who was let in.
enum Identity: Equatable, Sendable {
    case app(App)
    /// A client certificate, outside production.
    case certificate(subject: String?)
    /// No identity: nobody is asked for one.
    case none

    /// A registered key whose assertion was good.
    struct App: Equatable, Sendable {
        let keyID: KeyID
        let appID: AppID
        let environment: AppAttestEnvironment
        let signCount: UInt32
        let facts: AssertionFacts
    }

    var method: AuthenticationMethod {
        switch self {
        case .app: .appAttest
        case .certificate: .mtls
        case .none: .none
        }
    }

    var keyID: KeyID? { if case .app(let app) = self { app.keyID } else { nil } }

    /// What the upstream is told of it.
    ///
    /// Source: `appattest-gate` section 3.8.
    var fields: [(String, String)] {
        var fields: [(String, String)] = [("X-Gate-Auth", method.text)]
        guard case .app(let app) = self else { return fields }
        fields += [
            ("X-Gate-Key", KeyName(app.keyID).forUpstream), ("X-Gate-App-Id", app.appID.description),
            ("X-Gate-Environment", app.environment.rawValue), ("X-Gate-Sign-Count", String(app.signCount)),
        ]
        if let category = app.facts.category { fields.append(("X-Gate-Category", String(category))) }
        if let version = app.facts.bundleVersion {
            fields.append(("X-Gate-Bundle-Version", SafeText(version).description))
        }
        return fields
    }
}

/// How somebody was let in.
enum AuthenticationMethod: Int, Sendable, CaseIterable {
    case appAttest, mtls, none

    var text: String {
        switch self {
        case .appAttest: "app-attest"
        case .mtls: "mtls"
        case .none: "none"
        }
    }
}
