import ForceField
import ForceFieldWatch
import Foundation
import Scheduling

/// Whether workers can be started here, for answers that only a kernel can give.
enum LiveWorkers {
    /// A program that can be told what to do: this one if it offers itself, else `forcefield` beside it.
    static let program: String? = {
        if BuiltInWorker.isOffered { return "/proc/self/exe" }
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let candidate = folder.appending(path: "forcefield").path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder), !isFolder.boolValue {
                return candidate
            }
        }
        return nil
    }()

    /// Why none can be started; nil if they can.
    static let obstacle: String? = {
        guard program != nil else { return "needs the program forcefield beside this one" }
        do {
            let worker = try WatchedWorker(plan)
            while true {
                switch worker.next(before: SteadyInstant.now + .seconds(300)) {
                case .started: return nil
                case .timeout: worker.fail(.timeout)
                case .ended: return "no strict worker starts here: \(worker.report.termination)"
                default: continue
                }
            }
        } catch { return "no strict worker starts here: \(error)" }
    }()

    static var plan: WorkerPlan {
        var plan = WorkerPlan()
        plan.program = program ?? plan.program
        return plan
    }
}
