import BasicFoundation
import Files

/// The control group that a stick keeps for the window alone.
///
/// What shows the window is in another one. A process that is alone in a group which was handed over to it gives each
/// reader of pictures a group of its own (`UnifiedGroup` of ForceField).
package enum StickGroup {
    /// Moves this process into it, where there is one and this user may; elsewhere readers have what the machine gives.
    /// To be called before the first reader starts.
    ///
    /// - Parameter group: its folder, as the stick's `kiosk` makes it.
    package static func join(_ group: FilePath = "/sys/fs/cgroup/signer/window") {
        let list = try? OpenFile(group.appending("cgroup.procs"), for: .writeOnly, rules: .anything)
        try? list?.write(Array("\(getpid())".utf8))
    }
}
