// A stub, see README.md. What Darwin has as glibc has it comes from there, and is listed in c-library.txt. Here stands what Darwin alone
// has, and what it has with other types: a declaration here comes before glibc's of the same name.
@_exported import Glibc

// MARK: Mach. Source: developer.apple.com/documentation/kernel

public typealias kern_return_t = Int32
public typealias vm_size_t = UInt
public typealias vm_address_t = UInt
public typealias mach_port_t = UInt32
public typealias vm_map_read_t = mach_port_t
public var KERN_SUCCESS: kern_return_t { fatalError() }
public var mach_task_self_: mach_port_t { fatalError() }

public func vm_read_overwrite(
    _ target_task: vm_map_read_t, _ address: vm_address_t, _ size: vm_size_t, _ data: vm_address_t,
    _ outsize: UnsafeMutablePointer<vm_size_t>!
) -> kern_return_t { fatalError() }
public func mach_error_string(_ error_value: kern_return_t) -> UnsafeMutablePointer<CChar>! { fatalError() }

// MARK: Threads. Source: pthread(3), pthread.h. A thread is a pointer there, and nil where there is none

public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>!, _ attributes: UnsafePointer<pthread_attr_t>?,
    _ start_routine: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> CInt { fatalError() }
public func pthread_join(_ thread: pthread_t, _ value: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> CInt {
    fatalError()
}
public func pthread_detach(_ thread: pthread_t) -> CInt { fatalError() }
public func pthread_self() -> pthread_t! { fatalError() }
public func pthread_cond_timedwait_relative_np(
    _ condition: UnsafeMutablePointer<pthread_cond_t>!, _ mutex: UnsafeMutablePointer<pthread_mutex_t>!,
    _ time: UnsafePointer<timespec>!
) -> CInt { fatalError() }

// MARK: Programs. Source: posix_spawn(2), spawn.h. What is prepared for one is a pointer there, nil before it is made

public typealias posix_spawn_file_actions_t = UnsafeMutableRawPointer
public typealias posix_spawnattr_t = UnsafeMutableRawPointer
public typealias SpawnActions = UnsafeMutablePointer<posix_spawn_file_actions_t?>
public typealias SpawnAttributes = UnsafeMutablePointer<posix_spawnattr_t?>
public func posix_spawn(
    _ id: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>!,
    _ actions: UnsafePointer<posix_spawn_file_actions_t?>!, _ attributes: UnsafePointer<posix_spawnattr_t?>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>!, _ variables: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> CInt { fatalError() }
@discardableResult public func posix_spawn_file_actions_init(_ actions: SpawnActions!) -> CInt { fatalError() }
@discardableResult public func posix_spawn_file_actions_destroy(_ actions: SpawnActions!) -> CInt { fatalError() }
@discardableResult public func posix_spawn_file_actions_addopen(
    _ actions: SpawnActions!, _ descriptor: CInt, _ path: UnsafePointer<CChar>!, _ flags: CInt, _ mode: mode_t
) -> CInt { fatalError() }
@discardableResult public func posix_spawn_file_actions_addclose(_ actions: SpawnActions!, _ descriptor: CInt) -> CInt {
    fatalError()
}
@discardableResult public func posix_spawn_file_actions_addinherit_np(
    _ actions: SpawnActions!, _ descriptor: CInt
) -> CInt { fatalError() }
public var POSIX_SPAWN_CLOEXEC_DEFAULT: CInt { fatalError() }
@discardableResult public func posix_spawnattr_init(_ attributes: SpawnAttributes!) -> CInt { fatalError() }
@discardableResult public func posix_spawnattr_destroy(_ attributes: SpawnAttributes!) -> CInt { fatalError() }
@discardableResult public func posix_spawnattr_setsigmask(
    _ attributes: SpawnAttributes!, _ signals: UnsafePointer<sigset_t>!
) -> CInt { fatalError() }
@discardableResult public func posix_spawnattr_setsigdefault(
    _ attributes: SpawnAttributes!, _ signals: UnsafePointer<sigset_t>!
) -> CInt { fatalError() }
@discardableResult public func posix_spawnattr_setflags(_ attributes: SpawnAttributes!, _ flags: Int16) -> CInt {
    fatalError()
}

// MARK: File systems. Source: statfs(2)

public struct statfs {
    public init() { fatalError() }
    public var f_flags: UInt32 {
        get { fatalError() }
        set { fatalError() }
    }
}

public func fstatfs(_ descriptor: CInt, _ status: UnsafeMutablePointer<statfs>!) -> CInt { fatalError() }
public var MNT_LOCAL: CInt { fatalError() }

// MARK: The system. Source: sysctl(3), getrlimit(2), tcp(4)

public func sysctlbyname(
    _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldCount: UnsafeMutablePointer<Int>!,
    _ new: UnsafeMutableRawPointer!, _ newCount: Int
) -> CInt { fatalError() }
public var RLIMIT_NOFILE: Int32 { fatalError() }
public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> CInt { fatalError() }
public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> CInt { fatalError() }
public var TCP_KEEPALIVE: CInt { fatalError() }
public var TCP_RXT_CONNDROPTIME: CInt { fatalError() }

// MARK: Sockets. Source: socket(2), sys/socket.h. Kinds are numbers there, and cases of an enumeration in glibc

public var SOCK_STREAM: CInt { fatalError() }
