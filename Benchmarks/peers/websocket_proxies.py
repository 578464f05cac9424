"""WebSocket proxies on the loopback, each with one event loop: the gate, and Debian's nginx and haproxy; PostgreSQL for the gate."""
import atexit
import glob
import http.client
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
import time

# Of the devices that the gate admits.
APP_ID = "TESTTEAM01.com.example.trial"


def start(command, **options):
    """Starts a program that does not outlive this one."""
    process = subprocess.Popen(command, **options)
    atexit.register(process.kill)
    return process


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def await_port(port, process):
    for _ in range(600):
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended with {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"nobody listens at port {port}")


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def raise_file_limit(wanted=65_536):
    """Each proxied connection is two files in the proxy."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted)))
        return wanted
    except (ValueError, PermissionError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        return hard


def mint_authority(program, folder):
    """The test authority of the gate, in a folder of its own."""
    subprocess.run([program, "mint-test-ca", f"{folder}/authority"], check=True, stdout=subprocess.DEVNULL)
    return f"{folder}/authority"


class Direct:
    """No proxy at all."""

    name = "direct"
    workers = ()

    def __init__(self, service):
        self.port = lambda tls: service


class Proxy:
    """A program that is started; `worker` is the process that serves, and `workers` all whose time it takes."""

    @property
    def workers(self):
        return [self.worker]

    def start(self, *command, **options):
        self.process = start(command, stdout=subprocess.DEVNULL, **options)
        await_port(self.ports[False], self.process)
        self.worker = self.process.pid

    def port(self, tls):
        return self.ports[tls]

    def resident_bytes(self):
        rows = dict(line.split(":", 1) for line in open(f"/proc/{self.worker}/status") if ":" in line)
        return int(rows["VmRSS"].split()[0]) * 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Nginx(Proxy):
    name = "nginx"
    # What a place asks before it lets anybody in, and where that question goes.
    asking = question = ""

    def __init__(self, folder, service, authority, threads=1):
        root = f"{folder}/{self.name}-{threads}"
        os.makedirs(root, exist_ok=True)
        self.ports = {False: free_port(), True: free_port()}
        temporary = "".join(
            f"{kind}_temp_path {root}/{kind};" for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        user = "user root;" if os.geteuid() == 0 else ""
        path = write(f"{root}/nginx.conf", f"""
            {user} worker_processes {threads}; daemon off; pid {root}/pid; error_log {root}/error.log crit;
            events {{ worker_connections 19000; }}
            http {{
                access_log off; {temporary}
                ssl_certificate {authority}/tls.pem; ssl_certificate_key {authority}/tls-key.pem; ssl_protocols TLSv1.2 TLSv1.3;
                {self.question}
                server {{
                    listen 127.0.0.1:{self.ports[False]} backlog=4096; listen 127.0.0.1:{self.ports[True]} ssl backlog=4096;
                    location = /verify {{ internal; {self.asking} }}
                    location / {{
                        {"auth_request /verify;" if self.asking else ""}
                        proxy_pass http://127.0.0.1:{service}; proxy_http_version 1.1; proxy_read_timeout 1h;
                        proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection "upgrade";
                    }}
                }}
            }}""")
        self.start("nginx", "-c", path, "-p", root, stderr=subprocess.DEVNULL)
        # The master serves nobody.
        children = open(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read().split()
        self.children = [int(child) for child in children]
        self.worker = self.children[0]

    @property
    def workers(self):
        return self.children


class NginxAskingGate(Nginx):
    """nginx carries the bytes, and asks a gate about each handshake (docs/gate.md)."""

    name = "nginx-gate"

    def __init__(self, folder, service, authority, gate):
        self.gate = gate
        # Connections to the gate stay open.
        self.question = f"upstream gate {{ server 127.0.0.1:{gate.port(False)}; keepalive 64; keepalive_requests 1000000; }}"
        self.asking = (
            "proxy_pass http://gate/attest/verify; proxy_http_version 1.1; proxy_pass_request_body off; "
            'proxy_set_header Content-Length ""; proxy_set_header Connection "";')
        super().__init__(folder, service, authority)

    @property
    def workers(self):
        return [self.worker, self.gate.worker]

    def stop(self):
        super().stop()
        self.gate.stop()


class HAProxy(Proxy):
    name = "haproxy"

    def __init__(self, folder, service, authority, threads=1):
        self.ports = {False: free_port(), True: free_port()}
        pem = "".join(open(f"{authority}/{name}").read() for name in ["tls.pem", "tls-key.pem"])
        pem = write(f"{folder}/haproxy.pem", pem)
        path = write(f"{folder}/haproxy-{threads}.cfg", f"""
global
    nbthread {threads}
    maxconn {resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2 - 100}
defaults
    mode http
    timeout connect 10s
    timeout client 1h
    timeout server 1h
    timeout tunnel 1h
frontend plain
    bind 127.0.0.1:{self.ports[False]} backlog 4096
    bind 127.0.0.1:{self.ports[True]} backlog 4096 ssl crt {pem} alpn http/1.1 ssl-min-ver TLSv1.2
    default_backend service
backend service
    server service 127.0.0.1:{service}
""")
        self.start("haproxy", "-db", "-q", "-f", path)


class Gate(Proxy):
    """It has one listener, for plain text or for TLS."""

    def __init__(self, program, folder, service, authority, tls=False, requires_auth=False, **settings):
        self.name = "gate-bytes" if settings.get("RELAY_MODE") == "bytes" else "gate"
        self.ports = {tls: free_port()}
        self.last_address = 1
        environment = {
            "APP_ENV": "test", "BIND_HOST": "127.0.0.1", "WS_PORT": self.ports[tls], "ADMIN_BIND": "off", "EVENT_LOOPS": 1,
            "UPSTREAM_URL": f"ws://127.0.0.1:{service}", "LOG_LEVEL": "warning",
            "INBOUND_TLS_MODE": "required" if tls else "off",
            "TLS_CERT_PATH": f"{authority}/tls.pem", "TLS_KEY_PATH": f"{authority}/tls-key.pem",
            "REQUIRE_APP_AUTH": "true" if requires_auth else "false",
            "APPATTEST_TEAM_ID": APP_ID.split(".")[0], "APPATTEST_BUNDLE_ID": APP_ID.split(".", 1)[1],
            "APPATTEST_ROOT_CA_PATH": f"{authority}/anchors.pem",
            "ATTESTED_KEYS_PATH": f"{folder}/keys-{self.ports[tls]}.json",
            # Everyone comes from one address here.
            "MAX_CONNECTIONS": 50_000, "MAX_CONNECTIONS_PER_IP": 50_000, "CHALLENGE_RATE": "1000000/60s",
            "REGISTER_RATE": "1000000/60s", "MAX_NONCES": 50_000, "NONCE_TTL_MS": 600_000,
            "SHUTDOWN_GRACE_MS": 0, "SHUTDOWN_DEADLINE_MS": 1_000,
            **settings,
        }
        self.process = start(
            [program, "serve"], stdout=subprocess.PIPE, text=True,
            env={"PATH": os.environ["PATH"], **{name: str(value) for name, value in environment.items()}})
        self.process.stdout.readline()
        await_port(self.ports[tls], self.process)
        self.worker = self.process.pid

    def nonces(self, count):
        """As many as one client may have at a time, from as many addresses as that takes."""
        found = []
        while len(found) < count:
            self.last_address += 1
            address = f"127.0.{self.last_address >> 8}.{self.last_address & 0xff}"
            client = http.client.HTTPConnection("127.0.0.1", self.ports[False], source_address=(address, 0))
            for _ in range(min(60, count - len(found))):
                client.request("GET", "/attest/challenge")
                found.append(json.loads(client.getresponse().read())["nonce"])
            client.close()
        return found


class PostgreSQL:
    """Debian's, in a folder of its own, on a Unix socket."""

    def __init__(self, folder):
        self.binaries = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.folder = f"{folder}/postgres"
        os.mkdir(self.folder)
        # PostgreSQL does not run as root.
        self.prefix = []
        if os.geteuid() == 0:
            self.prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
            shutil.chown(self.folder, "postgres", "postgres")
            os.chmod(folder, 0o711)
        self.call("initdb", "-D", f"{self.folder}/data", "-U", "gate", "-A", "trust", "--no-sync")
        self.port = free_port()
        # What is committed is on the disk, as everywhere.
        options = f"-c listen_addresses= -c unix_socket_directories={self.folder} -c port={self.port}"
        atexit.register(self.stop)
        self.call("pg_ctl", "-D", f"{self.folder}/data", "-o", options, "-l", f"{self.folder}/log", "-w", "start")
        self.url = f"postgres://gate@{self.folder.replace('/', '%2F')}:{self.port}/postgres?sslmode=disable"

    def call(self, program, *arguments):
        subprocess.run(
            [*self.prefix, f"{self.binaries}/{program}", *arguments], check=True, stdout=subprocess.DEVNULL, cwd=self.folder)

    def stop(self):
        atexit.unregister(self.stop)
        self.call("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")
