extension Policy {
    /// What of the policy cannot be kept where the system starts and confines the process; nil if all can.
    ///
    /// Source: `forcefield` section 22.
    package var objectionOfHelpers: String? {
        if let capability = capabilities.first { return "an extension is granted nothing, so not \(capability.name)" }
        if limits != ResourceLimits() { return "the limits of an extension are the system's" }
        if minWorkers > 0 || maxWorkers > 1 || prewarm > 0 {
            return "an extension has one process, which starts with a call"
        }
        if maxInFlight > 1 { return "an extension has one request at a time" }
        if lifetime.duration != nil { return "nobody ends an extension at an age" }
        return nil
    }
}
