import CodeMeasurement
import HardwareKeys
import StrictJSON

extension VigilConfiguration {
    private static let sizeLimit = 64 * 1024

    /// Reads the file's content.
    ///
    /// - Throws: ``ConfigurationError`` with the member that is wrong.
    package init(parsing json: [UInt8]) throws(ConfigurationError) {
        let value: JSON
        do throws(JSONError) { value = try JSONReader.ofVigil(limit: Self.sizeLimit).read(json) } catch {
            throw ConfigurationError("the configuration is no JSON: \(error)")
        }
        do throws(JSONFieldError) {
            let fields = try JSONFields(value)
            try fields.allowOnly(Self.names)
            self.init(
                product: try fields.string("product"), manifest: try fields.path("manifest"),
                socketPath: try fields.path("socketPath"), stateDirectory: try fields.path("stateDirectory"))
            namedMembers = fields.names
            try readPolicies(fields)
            try readTimes(fields)
            try checkTimes(fields)
            try readPlaces(fields)
        } catch {
            throw ConfigurationError("the configuration is wrong: \(error)")
        }
    }

    private static let names: Set<String> = [
        "product", "bundleRoot", "manifest", "socketPath", "stateDirectory", "allowedUids", "installedGroup", "profile",
        "requiredLevels",
        "timeoutMs", "frameTimeoutMs", "sessionSeconds", "ttlMs", "intervalMs", "scanIntervalMs", "jitterPercent",
        "samplePages", "fileCacheSeconds", "requireHardware", "tpm", "allowProtocolV1", "v1Nonce", "provisioning",
        "externalPrefixes", "deletedExternal", "deletedExecutable", "behaviour", "grantFile", "onTamper", "graceMs",
        "logLevel", "trustedKeys", "trustThreshold",
    ]

    private mutating func readPolicies(_ fields: JSONFields) throws(JSONFieldError) {
        if fields.has("allowedUids") { allowedUsers = Set(try fields.integers("allowedUids")) }
        installedGroup = try fields.ifPresent("installedGroup", fields.group)
        if fields.has("profile") {
            guard let profile = HashProfile(rawValue: try fields.integer("profile")) else {
                throw fields.error(in: "profile", "1 or 2 expected")
            }
            self.profile = profile
        }
        if fields.has("requiredLevels") {
            requiredLevels = Levels(rawValue: try fields.integer("requiredLevels"))
            guard requiredLevels.isSubset(of: .all) else {
                throw fields.error(in: "requiredLevels", "0 to 127 expected")
            }
        }
        requireHardware = try fields.ifPresent("requireHardware", fields.bool) ?? requireHardware
        tpm = try fields.ifPresent("tpm", fields.tpm)
        allowProtocolV1 = try fields.ifPresent("allowProtocolV1", fields.bool) ?? allowProtocolV1
        if fields.has("v1Nonce") { v1Nonce = try fields.value("v1Nonce") }
        if fields.has("deletedExternal") { deletedExternal = try fields.value("deletedExternal") }
        if fields.has("deletedExecutable") { deletedExecutable = try fields.value("deletedExecutable") }
        if fields.has("externalPrefixes") { externalPrefixes = try fields.paths("externalPrefixes") }
        if fields.has("onTamper") { onTamper = try fields.strings("onTamper") }
        if let program = onTamper.first, !program.hasPrefix("/") {
            throw fields.error(in: "onTamper", "the program has to be an absolute path")
        }
        if fields.has("logLevel") {
            guard let level = VigilLogLevel(name: try fields.string("logLevel")) else {
                throw fields.error(in: "logLevel", "none, error, warning, info or debug expected")
            }
            logLevel = level
        }
        if fields.has("provisioning") { try readProvisioning(fields) }
    }

    private mutating func readProvisioning(_ fields: JSONFields) throws(JSONFieldError) {
        let members = try fields.fields("provisioning")
        try members.allowOnly(["firstStart", "windowSeconds", "requireToken", "tokenFile"])
        namedMembers.formUnion(members.names.map { "provisioning.\($0)" })
        provisioning.firstStart = try members.ifPresent("firstStart", members.bool) ?? provisioning.firstStart
        provisioning.requireToken = try members.ifPresent("requireToken", members.bool) ?? provisioning.requireToken
        provisioning.tokenFile = try members.ifPresent("tokenFile", members.path)
        if members.has("windowSeconds") { provisioning.window = .seconds(try members.count("windowSeconds", 1...3600)) }
    }

    private mutating func readTimes(_ fields: JSONFields) throws(JSONFieldError) {
        let day: Int64 = 86_400_000
        if fields.has("timeoutMs") { timeout = .milliseconds(try fields.count("timeoutMs", 100...60_000)) }
        if fields.has("frameTimeoutMs") {
            frameTimeout = .milliseconds(try fields.count("frameTimeoutMs", 100...60_000))
        }
        if fields.has("sessionSeconds") { sessionTime = .seconds(try fields.count("sessionSeconds", 1...86_400)) }
        if fields.has("ttlMs") { timeToLive = .milliseconds(try fields.count("ttlMs", 100...day)) }
        if fields.has("intervalMs") { interval = .milliseconds(try fields.count("intervalMs", 10...day)) }
        if fields.has("scanIntervalMs") { scanInterval = .milliseconds(try fields.count("scanIntervalMs", 10...day)) }
        if fields.has("jitterPercent") { jitterPercent = Int(try fields.count("jitterPercent", 0...90)) }
        if fields.has("samplePages") { samplePages = Int(try fields.count("samplePages", 1...65_536)) }
        if fields.has("fileCacheSeconds") { fileCacheTime = .seconds(try fields.count("fileCacheSeconds", 0...86_400)) }
        if fields.has("graceMs") { grace = .milliseconds(try fields.count("graceMs", 0...day)) }
    }

    /// A question that comes after the verdict before it has ended finds no session any more.
    private func checkTimes(_ fields: JSONFields) throws(JSONFieldError) {
        guard MonitorPolicy(self).fits(into: min(timeToLive, sessionTime)) else {
            throw fields.error(
                in:
                    "intervalMs", "with jitterPercent and timeoutMs it has to be less than ttlMs and sessionSeconds")
        }
    }

    private mutating func readPlaces(_ fields: JSONFields) throws(JSONFieldError) {
        bundleRoot = try fields.ifPresent("bundleRoot", fields.path)
        behaviour = try fields.ifPresent("behaviour", fields.path)
        grantFile = try fields.ifPresent("grantFile", fields.path)
        if fields.has("trustedKeys") { trustedKeys = try fields.paths("trustedKeys") }
        if fields.has("trustThreshold") { trustThreshold = Int(try fields.count("trustThreshold", 1...16)) }
    }
}

extension VigilLogLevel {
    /// Takes the name that configurations give the level.
    package init?(name: String) {
        guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
        self = level
    }
}

extension JSONFields {
    private static let listLimit = 64

    fileprivate func allowOnly(_ allowed: Set<String>) throws(JSONFieldError) {
        guard let unknown = names.subtracting(allowed).min() else { return }
        throw error(in: unknown, "there is no such member; there are \(allowed.sorted().joined(separator: ", "))")
    }

    fileprivate func path(_ name: String) throws(JSONFieldError) -> String {
        let path = try string(name)
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw error(in: name, "an absolute path expected") }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The place of a TPM, as `VIGIL_TPM` has it.
    fileprivate func tpm(_ name: String) throws(JSONFieldError) -> TPMAddress {
        let text = try string(name)
        let address: TPMAddress?
        do throws(HardwareKeyError) { address = try TPMAddress.vigil(text) } catch {
            throw self.error(in: name, "\(error)")
        }
        guard let address else { throw error(in: name, "it names a TPM, or is left out") }
        return address
    }

    /// The number of a group other than root's, which is the group of more than one program.
    fileprivate func group(_ name: String) throws(JSONFieldError) -> UInt32 {
        let number: Int64 = try integer(name)
        guard let group = UInt32(exactly: number), group != 0, group != .max else {
            throw error(in: name, "the number of a group that only the program has, not \(number)")
        }
        return group
    }

    fileprivate func paths(_ name: String) throws(JSONFieldError) -> [String] {
        let texts = try strings(name)
        guard texts.allSatisfy({ $0.hasPrefix("/") && !$0.utf8.contains(0) }) else {
            throw error(in: name, "absolute paths expected")
        }
        return texts
    }

    fileprivate func strings(_ name: String) throws(JSONFieldError) -> [String] {
        var texts: [String] = []
        for value in try array(name, limit: Self.listLimit) {
            guard let text = value.string else { throw error(in: name, "an array of texts expected") }
            texts.append(text)
        }
        return texts
    }

    fileprivate func integers(_ name: String) throws(JSONFieldError) -> [UInt32] {
        var integers: [UInt32] = []
        for value in try array(name, limit: Self.listLimit) {
            guard let integer = value.integer, let integer = UInt32(exactly: integer) else {
                throw error(in: name, "an array of whole numbers expected")
            }
            integers.append(integer)
        }
        return integers
    }

    fileprivate func count(_ name: String, _ range: ClosedRange<Int64>) throws(JSONFieldError) -> Int64 {
        let count: Int64 = try integer(name)
        guard range.contains(count) else {
            throw error(in: name, "\(count), where \(range.lowerBound) to \(range.upperBound) are allowed")
        }
        return count
    }
}
