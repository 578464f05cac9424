#if os(Linux)
    import CForceField
    import Files
    import Glibc
    import Scheduling

    // The end of a worker: what was sent before it counts, then everything that it had is let go.
    extension WorkerState {
        mutating func endIfOver(at now: SteadyInstant) {
            switch watch?.reap() {
            case .ended(let status): history.noteEnd(of: status)
            case .notYet:
                if watch?.warden == nil || isUnwatched { deadlines.lookSoon() }
                return
            case nil: return
            }
            // What was sent before the end counts.
            receive(at: now, isLast: true)
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report) }
            } catch {
                if !history.facts.started { history.noteFailure(.control) }
            }
            outputs.readLast(for: sourceID, relaying: relays, &events.waiting)
            checkOutputLimit()
            end()
        }

        mutating func end() {
            phase = .ended
            let calls = channel?.openCalls ?? []
            history.noteRemains(
                openCalls: calls.count, saidGoodbye: channel?.hasSaidGoodbye ?? false,
                outOfMemoryKills: group?.outOfMemoryKills ?? 0, errorTail: outputs.errorTail)
            if let group { GroupRemoval.shared.remove(group, of: terms.launch.pendingGroups) }
            let report = history.report(
                hasGroup: group != nil, requests: channel?.requestsServed ?? 0, lastMethod: channel?.lastMethod)
            events.append(.ended(report, calls: calls))
            reapLate()
            stopWatching()
            watch = nil
            channel = nil
            outputs = WorkerOutputs()
            Reactor.shared.remove(sourceID)
        }

        /// A warden that was killed may be gone before stage 0 is, which is about to end. Not reaped, it keeps its
        /// number.
        private mutating func reapLate() {
            guard watch?.reapLauncher() == false, let launcher = watch?.launcher else { return }
            Spawner.shared.perform {
                var status: Int32 = 0
                Glibc.kill(launcher, SIGKILL)
                cforcefield_reap(launcher, &status)
            }
        }

        /// Closing is not enough where another process of the host's holds a copy.
        private mutating func stopWatching() {
            let watched = [watch?.control, watch?.warden, channel?.socket] + outputs.descriptors
            for case let descriptor? in watched { Reactor.shared.stopWatching(descriptor) }
        }
    }
#endif
