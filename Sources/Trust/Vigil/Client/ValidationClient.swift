import BasicFoundation
import CodeMeasurement
import Threads

/// The app's side of the protocol: one validator, one conversation at a time. Calls block the calling thread, and never
/// longer than they are told to: work that hangs is left behind.
///
/// Source: `vigil` sections 7 and 8.
package struct ValidationClient: Sendable {
    package let identity: AppIdentity
    package let endpoint: any ValidatorEndpoint
    let pins: any PinStore
    /// Looks at the validator.
    let inspector: any PeerInspector
    /// What has to be looked at in the validator.
    let requiredLevels: Levels
    /// Whether no validator is pinned without the installer's token.
    let requiresToken: Bool
    /// The mode for a validator that speaks version 1 alone; nil for all others.
    let versionOne: VersionOneMode?
    let calendar: @Sendable () -> Date

    package init(
        _ identity: AppIdentity, _ endpoint: any ValidatorEndpoint, pins: any PinStore, inspector: any PeerInspector,
        requiredLevels: Levels = .requiredByDefault, requiresToken: Bool = true, versionOne: VersionOneMode? = nil,
        calendar: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.identity = identity
        self.endpoint = endpoint
        self.pins = pins
        self.inspector = inspector
        self.requiredLevels = requiredLevels
        self.requiresToken = requiresToken
        self.versionOne = versionOne
        self.calendar = calendar
    }

    /// A validation and what it leaves behind.
    package struct Outcome: Sendable {
        package var report: VigilReport
        /// Nil unless the report is positive and has a session.
        package var conversation: OpenConversation?

        /// Takes back the grant and closes the conversation of an outcome that comes too late.
        func discard() {
            report.grant?.revoke()
            conversation?.close()
        }
    }

    /// Validates once, by a full handshake.
    package func validate(within time: Duration) -> Outcome {
        validate(until: SuspendingClock().now.advanced(by: time))
    }

    /// - Parameter deadline: what comes later is a timeout, whatever it says.
    package func validate(until deadline: Deadline) -> Outcome {
        let began = SuspendingClock().now
        let link = OpenLink()
        var outcome: Outcome
        do throws(TimeLimit.NotBegun) {
            let found = try TimeLimit.ofClients.run(
                until: deadline, late: { $0.discard() }, { attempts(over: link, until: deadline) })
            if found == nil { link.giveUp() }
            outcome = found ?? Outcome(report: VigilReport(.timedOut, hasBegun: true))
        } catch {
            outcome = Outcome(report: VigilReport(error))
        }
        outcome.report.latency = began.duration(to: SuspendingClock().now)
        return outcome
    }

    /// A busy validator is asked again, as long as there is time.
    private func attempts(over link: OpenLink, until deadline: Deadline) -> Outcome {
        while true {
            let outcome = attempt(over: link, until: deadline)
            guard outcome.report.reason == .busy else { return outcome }
            SystemThread.sleep(for: .milliseconds(50))
            guard SuspendingClock().now < deadline else {
                return Outcome(report: VigilReport(.timeout, .expired, findings: outcome.report.findings))
            }
        }
    }

    private func attempt(over link: OpenLink, until deadline: Deadline) -> Outcome {
        let channel: any MessageChannel
        do throws(ChannelError) { channel = try link.connect(to: endpoint, until: deadline) } catch {
            return Outcome(report: VigilReport(error, hasBegun: false))
        }
        if let versionOne {
            defer { channel.close() }
            return Outcome(
                report: VersionOneConversation(client: self, mode: versionOne, channel: channel, deadline: deadline)
                    .validate())
        }
        var conversation = Conversation(self, channel, until: deadline)
        let outcome = conversation.validate()
        if outcome.conversation == nil { channel.close() }
        return outcome
    }

    /// What has to be looked at in the validator beside what it says itself.
    var levelsToLookFor: Levels { requiredLevels.subtracting(.selfReported) }

    /// Looks at the validator as the policy wants, before it is believed.
    ///
    /// - Throws: ``Refusal``: what was found; `unmeasurable` where a level could not be taken.
    func look(at peer: any InspectedPeer) throws(Refusal) -> Inspection {
        let seen = try peer.look(levelsToLookFor, isNewSession: true)
        try check(seen)
        return seen
    }

    /// Whether a look has shown all that has to be known, and the files of the manifest.
    func check(_ seen: Inspection) throws(Refusal) {
        let missing = levelsToLookFor.subtracting(seen.measured)
        guard missing.isEmpty else {
            throw Refusal(.unmeasurable, "levels \(missing.rawValue) of the validator could not be taken")
        }
        guard seen.hash == nil || seen.hash == identity.validatorFiles else {
            throw Refusal(
                .hashMismatch, "the validator's files are not those of the manifest: \(seen.hash ?? .zero)")
        }
    }
}
