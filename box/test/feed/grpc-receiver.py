"""A receiver on gRPC's C core, without generated code: it refuses the first batch, then prints each event as a line of JSON."""
import json
import sys
from concurrent import futures

import grpc


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """Number and bytes of each field; the contract has length-delimited ones only."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        assert key & 7 == 2, "a field that is not length-delimited"
        size, at = varint(data, at)
        yield key >> 3, data[at : at + size]
        at += size


def event(data):
    by_number = {number: value.decode("utf-8") for number, value in fields(data)}
    return [by_number.get(number, "") for number in range(1, 10)]


class Receiver:
    refused = False

    def deliver(self, batch, context):
        if not self.refused:
            self.refused = True
            return b"\x12\x07not yet"
        for _, data in fields(batch):
            print(json.dumps(event(data)))
        sys.stdout.flush()
        return b"\x08\x01"


handler = grpc.unary_unary_rpc_method_handler(Receiver().deliver)
server = grpc.server(futures.ThreadPoolExecutor(max_workers=1))
server.add_generic_rpc_handlers(
    [grpc.method_handlers_generic_handler("changefeed.v1.ChangefeedSink", {"Deliver": handler})]
)
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
sys.stdin.read()
server.stop(0)
