"""What a scanner knows of the tickets, and how it decides by that without its box: box/docs/clients.md, "Decide alone"."""
import base64, hashlib, hmac, re, subprocess, tempfile
from datetime import datetime

BASE45 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
SPACE = r"[\s\ufeff\x00-\x1f\x7f-\x9f]"


def is_signed(key, message, signature):
    """Ed25519. The key goes in as DER (RFC 8410)."""
    with tempfile.TemporaryDirectory() as folder:
        parts = {"key": bytes.fromhex("302a300506032b6570032100") + key, "message": message, "signature": signature}
        for name, content in parts.items():
            with open(f"{folder}/{name}", "wb") as out:
                out.write(content)
        command = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in message -sigfile signature"
        return subprocess.run(command.split(), cwd=folder, capture_output=True).returncode == 0

def bare(payload):
    payload = re.sub(f"{SPACE}+\\Z", "", payload)
    return re.sub(rf"\A(?:{SPACE}|\][A-Za-z][0-9](?=.)|\\0000[0-9][0-9](?=.))+", "", payload, flags=re.S)

def rotating(text):
    """The bytes of a rotating code; None for a printed one."""
    if len(text) != 155 or not text.startswith("G1:") or any(c not in BASE45 for c in text):
        return None
    code = b""
    for group in (text[i:i + 3] for i in range(3, 155, 3)):
        value, size = sum(BASE45.index(c) * 45 ** i for i, c in enumerate(group)), len(group) - 1
        if value >= 256 ** size:
            return None
        code += value.to_bytes(size, "big")
    return code if code[0] == 1 else None

def ms(time_or_hlc):
    if "T" not in time_or_hlc:
        return int(time_or_hlc.split(".")[0])
    return datetime.fromisoformat(time_or_hlc.replace("Z", "+00:00")).timestamp() * 1000

order = lambda hlc: tuple(map(int, hlc.split(".")))


class Mirror:
    def __init__(self, manifest):
        self.m = m = manifest
        self.tag = hashlib.sha256(m["event_id"].encode()).digest()[:8]
        self.salt, self.bits = base64.b64decode(m["filter"]["salt"]), bytearray(base64.b64decode(m["filter"]["bits"]))
        self.seeds, self.cells = (base64.b64decode(m["kind_table"][name]) for name in ("seeds", "bits"))
        self.revoked, self.holds = set(m["revoked"]), {hold["gate"]: hold for hold in m["holds"]}
        self.kinds = {code: m["kinds"][kind] for code, kind in zip(m["late_codes"], m["late_kinds"])}
        self.tiers = {tier["id"]: tier["entry"] for tier in m["tiers"]}
        self.marks, self.own = {}, {}  # by zone and prefix: (used, when); (when in, when out)
        for zone, text in m["redeemed_by_zone"].items():
            used = base64.b64decode(text)
            self.marks.update({(zone, used[i:i + 8]): (True, None) for i in range(0, len(used), 8)})

    def places(self, code):
        """The filter's bits of a code."""
        m, a, b = self.m["filter"]["m"], int.from_bytes(code[:6], "big"), int.from_bytes(code[6:12], "big")
        return [(a + i * (b % (m - 1) + 1)) % m for i in range(self.m["filter"]["k"])]

    def kind(self, code):
        text, table = base64.b64encode(code).decode(), self.m["kind_table"]
        if text in self.kinds:
            return self.kinds[text]
        bucket = int.from_bytes(code[:4], "big") * table["buckets"] >> 32
        third, width, number = table["cells"] // 3, table["width"], 0
        for i in range(3):
            w = int.from_bytes(code[4 + 4 * i:8 + 4 * i], "big") ^ self.seeds[bucket] * 0x9E3779B9 % 2**32
            w = (w ^ w >> 16) * 0x85EBCA6B % 2**32
            w = (w ^ w >> 13) * 0xC2B2AE35 % 2**32
            at = (bucket * table["cells"] + i * third + (w ^ w >> 16) % third) * width
            number ^= sum((self.cells[b >> 3] >> 7 - b % 8 & 1) << at + width - 1 - b for b in range(at, at + width))
        return self.m["kinds"][number] if number < len(self.m["kinds"]) else None

    def apply(self, event, data):
        """An event of the stream. True: fetch the manifest again."""
        if event == "gap" or event == "ticket" and "added" not in data:
            return True
        if order(data.get("hlc", "0.0")) <= order(self.m["hlc"]):
            return False
        if event == "redemption":
            for code in data["code_hashes"]:
                self.marks[data["zone"] or "", base64.b64decode(code)[:8]] = (data["used"], ms(data["hlc"]))
        elif event == "revocation":
            self.revoked.update(data["code_hashes"])
        elif event == "hold":
            self.holds[data["gate"]] = data
        elif event == "ticket":
            for name in ("added", "revoked"):
                self.kinds.update({code: data["kinds"][kind] for code, kind in zip(data[name], data[name + "_kinds"])})
            for place in (place for code in data["added"] for place in self.places(base64.b64decode(code))):
                self.bits[place >> 3] |= 0x80 >> (place & 7)
            self.revoked = self.revoked.difference(data["added"]).union(data["revoked"])
            for use in data["redeemed"]:
                self.marks[use["zone"] or "", base64.b64decode(use["code_hash"])] = (use["used"], ms(data["hlc"]))
        return False

    def held(self, gate, at):
        hold = self.holds.get(gate, {"held": False})
        return hold.get("held", True) and not (hold["expires_at"] and ms(hold["expires_at"]) <= at)

    def decide(self, payload, checkpoint, at):
        here = next(each for each in self.m["checkpoints"] if each["id"] == checkpoint)
        text = bare(payload)
        code = rotating(text)
        if code and not is_signed(code[1:33], b"gatehouse/code/v1\0" + self.tag + code[:37], code[37:]):
            return "UNKNOWN"
        name = hmac.new(self.salt, code[1:33] if code else text.encode(), hashlib.sha256).digest()[:16]
        kind, is_revoked = self.kind(name), base64.b64encode(name).decode() in self.revoked
        known = kind and all(self.bits[place >> 3] & 0x80 >> (place & 7) for place in self.places(name))
        if not known and not is_revoked:
            return "UNKNOWN"
        zone = here["to" if here["direction"] == "in" else "from"] or ""
        slot = int.from_bytes(code[33:37], "big") if code else None
        verdict = self.verdict(here, zone, name, kind, is_revoked, slot, at)
        if verdict in ("ADMIT", "EXIT"):
            entered, left = self.own.get((zone, name), (None, None))
            self.own[zone, name] = (at, None) if verdict == "ADMIT" else (entered, at)
        return verdict

    def verdict(self, here, zone, name, kind, is_revoked, slot, at):
        if here["direction"] == "out":
            return "EXIT"
        if self.held(here["gate"], at):
            return "BLOCKED"
        if is_revoked:
            return "REVOKED"
        if slot is not None and abs(at // 15000 - slot) > 2:
            return "STALE_CODE"
        outside = lambda opens, closes: opens and at < ms(opens) or closes and at > ms(closes)
        if outside(kind["valid_from"], kind["valid_until"]):
            return "NOT_VALID_NOW"
        if kind["tier"] not in here["tiers"]:
            gates = [each for each in self.m["checkpoints"] if each["direction"] == "in"]
            gates = [each for each in gates if kind["tier"] in each["tiers"]]
            on = [each for each in gates if each["from"] == here["from"]] or gates
            return "BLOCKED" if gates and all(self.held(each["gate"], at) for each in on) else "REDIRECT"
        if outside(here.get("opens_at"), here.get("closes_at")) or at == ms(here.get("closes_at", "0.0")):
            return "NOT_VALID_NOW"
        return "ALREADY_USED" if self.is_used(zone, name, self.tiers.get(kind["tier"], "once"), at) else "ADMIT"

    def is_used(self, zone, name, entry, at):
        used, when = self.marks.get((zone, name[:8]), (False, None))
        entered, left = self.own.get((zone, name), (None, None))
        if entry == "once_per_day":
            today = lambda then: not any(then < ms(day) <= at for day in self.m["days"])
            return entered is not None and today(entered) or used and today(when or ms(self.m["hlc"]))
        if entry == "reentry" and left is not None:
            return used and when is not None and when > left
        return entry != "unlimited" and (entered is not None or used)
