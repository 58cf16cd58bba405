#!/usr/bin/env python3
"""A client of a Gatehouse box, after box/docs/clients.md: Python's standard library and the openssl command, nothing else.

client.py enrol LINK FOLDER             enrols with the link of an invite; key, certificate and token are kept in FOLDER
client.py scan FOLDER CHECKPOINT CODE   asks the box, and prints its verdict
client.py fetch FOLDER                  fetches and checks the manifest, to decide without the box
client.py alone FOLDER                  decides by it, for each line of the input: {"payload", "checkpoint", "at"}; a line
                                        {"event", "data"} is applied to it as an event of the stream
client.py run FOLDER                    the same, while it follows the stream, and prints each of its events
"""
import base64, hashlib, http.client, json, os, re, ssl, subprocess, sys, threading, time, uuid
from datetime import datetime, timezone
from urllib.parse import urlsplit
from mirror import Mirror, is_signed


def request(base, tls, method, path, body=None, headers={}, timeout=20):
    url = urlsplit(base)
    connection = http.client.HTTPSConnection(url.hostname, url.port or 443, context=tls, timeout=timeout)
    kind = {"content-type": "application/json"} if body else {}
    connection.request(method, path, json.dumps(body) if body else None, {**kind, **headers})
    answer = connection.getresponse()
    if answer.status == 429 or answer.status >= 500:
        raise http.client.HTTPException(f"{answer.status} {answer.read().decode()}")  # it may succeed later
    if answer.status >= 300:
        raise SystemExit(f"{answer.status} {answer.read().decode()}")
    return answer

def openssl(*arguments):
    return subprocess.run(["openssl", *arguments], check=True, capture_output=True).stdout.decode()

def enrol(link, folder):
    part = re.search("i=([^&]+)", urlsplit(link).fragment)[1]
    invite = json.loads(base64.urlsafe_b64decode(part + "=="))
    ca = request(invite["u"], ssl._create_unverified_context(), "GET", "/ca.crt").read().decode()
    der = ssl.PEM_cert_to_DER_cert(ca)
    if "sha256:" + hashlib.sha256(der).hexdigest() != invite["fp"]:
        sys.exit("This is not the box of the invite.")
    os.umask(0o077)
    os.makedirs(folder, exist_ok=True)
    file = lambda name: os.path.join(folder, name)
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file("key.pem"))
    csr = openssl("req", "-new", "-key", file("key.pem"), "-subj", "/CN=device")
    tls = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(der))
    wish = {"invite": invite["i"], "name": "client.py", "csr": csr}
    answer = json.load(request(invite["u"], tls, "POST", "/v1/enroll", wish))
    meta = json.load(request(invite["u"], tls, "GET", "/v1/meta"))
    for name, text in {"ca.pem": ssl.DER_cert_to_PEM_cert(der), "cert.pem": answer["certificate"],
                       "device.json": json.dumps({**answer, "verifier_key": meta["verifier_key"]})}.items():
        with open(file(name), "w") as out:
            out.write(text)


class Box:
    """The device port, with the certificate in TLS."""
    def __init__(self, folder):
        self.folder, self.device = folder, json.load(open(f"{folder}/device.json"))
        self.tls = ssl.create_default_context(cafile=f"{folder}/ca.pem")
        self.tls.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")

    def ask(self, method, path, body=None, headers={}, timeout=20):
        token = {"authorization": "Bearer " + self.device["token"]}
        return request(self.device["device_url"], self.tls, method, path, body, {**token, **headers}, timeout)

    def scan(self, checkpoint, payload):
        now = time.time()
        return json.load(self.ask("POST", "/v1/scan", {
            "scan_id": str(uuid.uuid4()), "payload": payload, "checkpoint": checkpoint, "device_hlc": f"{int(now * 1000)}.0",
            "offline_admitted": False, "observed_at": datetime.fromtimestamp(now, timezone.utc).isoformat()}))

    def fetch(self):
        manifest = json.load(self.ask("GET", "/v1/manifest"))
        signed = {name: value for name, value in manifest.items() if name != "signature"}
        key = base64.b64decode(self.device["verifier_key"].split("+", 2)[2])[1:]
        message = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        if not is_signed(key, message, base64.b64decode(manifest["signature"])):
            sys.exit("The manifest is not signed by the event's key.")
        with open(f"{self.folder}/manifest.json", "w") as out:
            json.dump(manifest, out)
        return manifest

    def events(self, position=None):
        """The stream's events, through any number of connections."""
        while True:
            event = {}
            try:
                for line in self.ask("GET", "/v1/stream", None, {"last-event-id": position} if position else {}, 45):
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field in ("id", "event", "data"):
                        event[field] = value
                    elif field == "" and event:
                        yield {**event, "data": json.loads(event["data"])}
                        position, event = event.get("id", position), {}
            except (OSError, http.client.HTTPException):
                time.sleep(1)


def decide_lines(state, lock):
    for line in map(json.loads, sys.stdin):
        with lock:
            if "event" in line:
                print(json.dumps({"again": state["mirror"].apply(line["event"], line["data"])}), flush=True)
            else:
                at = line.get("at", time.time() * 1000)
                print(json.dumps({"verdict": state["mirror"].decide(line["payload"], line["checkpoint"], at)}), flush=True)

def follow(box, state, lock):
    for event in box.events():
        with lock:
            # The stream first, then the manifest: nothing is lost between the two.
            if "mirror" not in state or state["mirror"].apply(event["event"], event["data"]):
                state["mirror"] = Mirror(box.fetch())
            print(json.dumps(event), flush=True)

def main(command, folder, *rest):
    state, lock = {}, threading.Lock()
    if command == "enrol":
        enrol(folder, *rest)
    elif command == "scan":
        print(json.dumps(Box(folder).scan(*rest)))
    elif command == "fetch":
        Box(folder).fetch()
    elif command == "alone":
        state["mirror"] = Mirror(json.load(open(f"{folder}/manifest.json")))
        decide_lines(state, lock)
    elif command == "run":
        threading.Thread(target=follow, args=(Box(folder), state, lock), daemon=True).start()
        decide_lines(state, lock)

if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) > 2 else sys.exit(__doc__)
