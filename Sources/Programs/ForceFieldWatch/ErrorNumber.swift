import Glibc

/// Errors of the kernel, by name and in words.
package enum ErrorNumber {
    private static let names: [Int32: String] = [
        EPERM: "EPERM", ENOENT: "ENOENT", ESRCH: "ESRCH", EIO: "EIO", E2BIG: "E2BIG", ENOEXEC: "ENOEXEC",
        EBADF: "EBADF", EAGAIN: "EAGAIN", ENOMEM: "ENOMEM", EACCES: "EACCES", EFAULT: "EFAULT", EBUSY: "EBUSY",
        EEXIST: "EEXIST", ENODEV: "ENODEV", ENOTDIR: "ENOTDIR", EISDIR: "EISDIR", EINVAL: "EINVAL", ENFILE: "ENFILE",
        EMFILE: "EMFILE", ENOTTY: "ENOTTY", EFBIG: "EFBIG", ENOSPC: "ENOSPC", EROFS: "EROFS", ENOSYS: "ENOSYS",
        EPROTO: "EPROTO", EBADMSG: "EBADMSG", EPROTONOSUPPORT: "EPROTONOSUPPORT", ENOTSUP: "ENOTSUP",
        EAFNOSUPPORT: "EAFNOSUPPORT", ENETUNREACH: "ENETUNREACH", ECONNREFUSED: "ECONNREFUSED", EISCONN: "EISCONN",
        ENOTSOCK: "ENOTSOCK", EUSERS: "EUSERS", ENOKEY: "ENOKEY", ESPIPE: "ESPIPE", ENOTCONN: "ENOTCONN",
    ]

    package static func name(_ number: Int32) -> String { names[number] ?? "errno \(number)" }

    package static func words(_ number: Int32) -> String { String(cString: strerror(number)) }
}
