import CodeMeasurement

extension ValidationClient {
    /// Asks for a fresh verdict within a session, behind the questions that are asked in it.
    package func revalidate(_ conversation: OpenConversation, within time: Duration) -> VigilReport {
        let began = SuspendingClock().now
        let deadline = began.advanced(by: time)
        var report =
            conversation.inTurn(until: deadline) { ask(conversation, until: deadline) }
            ?? VigilReport(.timeout, .expired, findings: [Finding("other questions took all of the time")])
        report.latency = began.duration(to: SuspendingClock().now)
        return report
    }

    private func ask(_ conversation: OpenConversation, until deadline: Deadline) -> VigilReport {
        do throws(TimeLimit.NotBegun) {
            let found = try TimeLimit.ofClients.run(until: deadline) { fresh(conversation, until: deadline) }
            if let found { return found }
            // A verdict that is still on its way would be taken for the answer to the next question.
            conversation.close()
            return VigilReport(.timedOut, hasBegun: true)
        } catch {
            return VigilReport(error)
        }
    }

    private func fresh(_ conversation: OpenConversation, until deadline: Deadline) -> VigilReport {
        let request: Sent<Revalidate>
        do throws(Refusal) { request = try conversation.withSession { $0.revalidate() } } catch {
            return VigilReport(error)
        }
        do throws(ChannelError) {
            try ask(request, in: conversation, until: deadline)
            // The validator may have changed as well since it was looked at. It looks at this app meanwhile.
            let seen = Result { () throws(Refusal) in try lookAgain(at: conversation.peer) }
            return judge(
                try conversation.channel.receive(until: deadline), answering: request, in: conversation, seen: seen)
        } catch {
            return VigilReport(error, hasBegun: true)
        }
    }

    /// Sends a question. A closed channel is no error here: the validator has ended the session then, and what it sent
    /// before says why.
    private func ask(
        _ request: Sent<Revalidate>, in conversation: OpenConversation, until deadline: Deadline
    ) throws(ChannelError) {
        do throws(ChannelError) { try conversation.channel.send(request.bytes, until: deadline) } catch {
            guard case .closed = error else { throw error }
        }
    }

    /// Looks at the validator by what the kernel tells without reading files.
    private func lookAgain(at peer: any InspectedPeer) throws(Refusal) -> Inspection {
        let wanted = requiredLevels.intersection([.mapShape, .codePages, .contents, .behaviour])
        let seen = try peer.look(wanted, isNewSession: false)
        guard wanted.isSubset(of: seen.measured) else {
            throw Refusal(
                .unmeasurable,
                "levels \(wanted.subtracting(seen.measured).rawValue) of the validator could not be taken again")
        }
        return seen
    }

    /// - Parameter seen: what a look at the validator told, which counts once its own word is a good one.
    private func judge(
        _ received: Received, answering request: Sent<Revalidate>, in conversation: OpenConversation,
        seen: Result<Inspection, Refusal>
    ) -> VigilReport {
        do throws(Refusal) {
            guard received.attachments.isEmpty else { throw Refusal(.malformed, "descriptors within a session") }
            guard try received.header().type == .revalidated else {
                return takeUnsolicited(received, in: conversation)
            }
            let answer = try conversation.withSession { (session) throws(Refusal) in
                try session.accept(received, answering: request)
            }
            var report = VigilReport(answer.isValid ? .valid : .tampered, answer.reason)
            report.measuredApp = answer.measured
            report.timeToLive = answer.timeToLive
            guard answer.isValid else {
                report.findings = [Finding("the validator says so")]
                return report
            }
            let seen = try seen.get()
            report.measuredValidator = seen.measured
            report.flags = seen.flags
            return report
        } catch {
            return VigilReport(error)
        }
    }

    /// Goes on in a session, for at least one question: listens to what the validator says unasked, and asks for a
    /// fresh verdict as often as the policy says and before the last one ends. Blocks. Others may ask meanwhile.
    ///
    /// - Parameters:
    ///   - timeToLive: of the verdict that the session began with.
    ///   - end: from when on no question is asked.
    /// - Returns: what ended it; nil when its time is over.
    func watch(
        _ conversation: OpenConversation, by policy: MonitorPolicy, timeToLive: Duration, until end: Deadline
    ) -> VigilReport? {
        var timeToLive = timeToLive
        var hasAsked = false
        while true {
            let next = SuspendingClock().now.advanced(by: policy.delay(.random(in: 0...1), within: timeToLive))
            if hasAsked, next >= end { return nil }
            if let report = listen(conversation, until: next) { return report }
            guard next < end else { return nil }
            let report = revalidate(conversation, within: policy.timeout)
            guard report.result.isTrusted else { return report }
            timeToLive = report.timeToLive
            hasAsked = true
        }
    }

    /// Takes what the validator says unasked, and leaves its answers to those who ask.
    private func listen(_ conversation: OpenConversation, until end: Deadline) -> VigilReport? {
        let channel = conversation.channel as? any AwaitedChannel
        while channel?.awaitMessage(until: end) ?? (SuspendingClock().now < end) {
            // What came may be the answer to a question of somebody whose turn it is.
            let report = conversation.inTurn(until: end) { () -> VigilReport? in
                if let channel, !channel.awaitMessage(until: .now) { return nil }
                do throws(ChannelError) {
                    return takeUnsolicited(try conversation.channel.receive(until: end), in: conversation)
                } catch .timedOut {
                    return nil
                } catch {
                    return VigilReport(error, hasBegun: true)
                }
            }
            if let report = report ?? nil { return report }
        }
        return nil
    }

    /// What the validator said unasked: only an alert has a place there.
    func takeUnsolicited(_ received: Received, in conversation: OpenConversation) -> VigilReport {
        do throws(Refusal) {
            let alert = try conversation.withSession { (session) throws(Refusal) in
                try session.accept(alert: received)
            }
            var report = VigilReport(
                .tampered, alert.reason, findings: [Finding("the validator takes its word back")])
            report.measuredApp = alert.measured
            return report
        } catch {
            return VigilReport(error)
        }
    }
}
