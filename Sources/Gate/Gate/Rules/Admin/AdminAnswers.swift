internal import TextForms

/// What an operator is answered. No answer holds a public key's bytes, a receipt or a secret of the configuration.
enum AdminAnswers {
    static func metrics(_ text: String) -> Answer {
        Answer(status: 200, contentType: "text/plain; version=0.0.4; charset=utf-8", text: text)
    }

    /// - Parameter limit: how many were asked for; as many mean that there may be more.
    static func keys(_ keys: [AttestedKey], limit: Int) -> Answer {
        var object = JSONObject()
        object.add("keys", json: "[" + keys.map(text).joined(separator: ",") + "]")
        // In the URL alphabet, so that it can stand in a query as it is.
        let cursor = keys.count < limit ? nil : keys.last.map { Base64.encode($0.id.bytes) }
        object.add("cursor", cursor?.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""))
        return Answer(status: 200, json: object.text)
    }

    static func key(_ key: AttestedKey) -> Answer { Answer(status: 200, json: text(key)) }

    /// - Parameter limit: how many were asked for; as many mean that there may be more.
    static func bans(_ bans: [AccountBan], limit: Int) -> Answer {
        let texts = bans.map { ban in
            var object = JSONObject()
            object.add("account", ban.account.hex)
            object.add("bannedAt", ban.at.text)
            object.add("reason", SafeText(ban.reason).description)
            return object.text
        }
        var object = JSONObject()
        object.add("accounts", json: "[" + texts.joined(separator: ",") + "]")
        object.add("cursor", bans.count < limit ? nil : bans.last?.account.hex)
        return Answer(status: 200, json: object.text)
    }

    static func banned(keys: Int) -> Answer { Answer(status: 200, json: #"{"done":true,"keys":\#(keys)}"#) }

    static func done() -> Answer { Answer(status: 200, json: #"{"done":true}"#) }

    static func configuration(_ configuration: GateConfiguration) -> Answer {
        var object = JSONObject()
        for (name, value) in configuration.effective { object.add(name, value) }
        return Answer(status: 200, json: object.text)
    }

    /// The answer where two keys begin so: the operator has to say more.
    static func ambiguous() -> Answer {
        Answer(status: 409, json: #"{"error":"More than one key begins so.","code":"ambiguous"}"#)
    }

    private static func text(_ key: AttestedKey) -> String {
        var object = JSONObject()
        object.add("sha", KeyName(key.id).hex)
        object.add("appId", key.appID.description)
        object.add("environment", key.environment.rawValue)
        object.add("signCount", key.signCount)
        object.add("registeredAt", key.registeredAt.text)
        object.add("lastUsedAt", key.lastUsedAt.text)
        object.add("lastAssertedAt", key.lastAssertedAt.map { $0.text })
        object.add("category", key.facts.category)
        object.add("bundleVersion", key.facts.bundleVersion.map { SafeText($0).description })
        object.add("hasReceipt", flag: key.receipt != nil)
        object.add("riskMetric", key.receipt?.riskMetric)
        object.add("receiptNotBefore", key.receipt?.notBefore.map { $0.text })
        object.add("receiptExpiresAt", key.receipt?.expiresAt.map { $0.text })
        object.add("revokedAt", key.revocation.map { $0.at.text })
        object.add("revokedReason", key.revocation.map { SafeText($0.reason).description })
        if !key.accounts.isEmpty {
            object.add("accounts", json: "[" + key.accounts.map { "\"\($0.hex)\"" }.joined(separator: ",") + "]")
        }
        object.add("deviceBan", key.deviceBan?.rawValue)
        return object.text
    }
}
