"""What other users of a host can do to workers: strangers.py ROLE SECONDS.

Roles: silent (50 callers to each port that say nothing), scanner (calls every port, says anything, hangs up), relay (calls each
port first, takes it as soon as it is free, and passes on between the two who come) and rebinder (the same, and alters the
numbers that pass). They know what /proc/net/tcp tells everybody. Each prints a line for what it has got. They call the
loopback only: run them in a network namespace of their own.
"""

import os
import socket
import struct
import sys
import threading
import time

HOST = "127.0.0.1"
LISTENS = "0A"
TAKE_SECONDS = 3  # for which a port is watched


def listening_ports():
    with open("/proc/net/tcp", encoding="ascii") as lines:
        words = [line.split() for line in lines][1:]
    return {int(word[1].split(":")[1], 16) for word in words if word[3] == LISTENS}


def tell(*words):
    print(*words, flush=True)


def call(port):
    try:
        return socket.create_connection((HOST, port), timeout=1)
    except OSError:
        return None


class Silent:
    """Fifty callers to each port that say nothing, for as long as the port is there."""

    def __init__(self, _):
        self.held = {}

    def meet(self, port):
        self.held[port] = [caller for caller in (call(port) for _ in range(50)) if caller]

    def go_on(self, ports):
        for gone in self.held.keys() - ports:
            for caller in self.held.pop(gone):
                caller.close()


class Scanner:
    """Calls each port again and again, says this or that, and hangs up."""

    def __init__(self, _):
        self.turn = 0

    def meet(self, port):
        self.knock(port)

    def go_on(self, ports):
        for port in ports:
            self.knock(port)

    def knock(self, port):
        self.turn += 1
        caller = call(port)
        if caller is None:
            return
        words = [b"", b"x", bytes(40), b"linsep 1" + struct.pack("<iiQ", 1, 0, 2) + bytes(16), os.urandom(5000)]
        try:
            caller.sendall(words[self.turn % len(words)])
        except OSError:
            pass
        caller.close()


class Between:
    """Takes ports that their owners leave, and stands between a worker that it called and one that calls it."""

    def __init__(self, alters):
        self.alters = alters

    def meet(self, port):
        threading.Thread(target=self.take, args=(port,), daemon=True).start()

    def go_on(self, ports):
        pass

    def take(self, port):
        first = call(port)
        if first is None:
            return
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        end = time.monotonic() + TAKE_SECONDS
        while time.monotonic() < end:
            try:
                listener.bind((HOST, port))
                listener.listen(1)
                break
            except OSError:
                time.sleep(0.002)
        else:
            return
        tell("took", port)
        listener.settimeout(20)
        try:
            second, _ = listener.accept()
        except OSError:
            return
        tell("called", port)
        for one, other in ((first, second), (second, first)):
            threading.Thread(target=self.pass_on, args=(one, other, port), daemon=True).start()

    def pass_on(self, one, other, port):
        one.settimeout(None)
        told = False
        while True:
            try:
                piece = bytearray(one.recv(1 << 16))
                if self.alters and len(piece) >= 160:
                    piece[len(piece) // 2] ^= 0x10
                    if not told:
                        tell("altered", port)
                        told = True
                other.sendall(piece)
            except OSError:
                return
            if not piece:
                other.close()
                return


ROLES = {"silent": (Silent, False), "scanner": (Scanner, False), "relay": (Between, False), "rebinder": (Between, True)}


def main(role, seconds):
    kind, alters = ROLES[role]
    stranger = kind(alters)
    seen = set()
    end = time.monotonic() + seconds
    tell("ready")
    while time.monotonic() < end:
        ports = listening_ports()
        for port in ports - seen:
            stranger.meet(port)
        stranger.go_on(ports)
        seen = ports  # one that comes back is met again
        time.sleep(0.001 if role in ("relay", "rebinder") else 0.02)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
