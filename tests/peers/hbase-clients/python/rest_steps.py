"""What a user of HBase's REST server tries first, at the port that is given."""

import base64
import http.client
import json
import sys

from steps import Steps, equal

NAME = "clients_rest"


def b64(data):
    return base64.b64encode(data).decode()


def main(port):
    s = Steps("rest 2.6.1")

    def call(method, path, body=None, kind="application/json", accept="application/json"):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request(method, path, body, {"Accept": accept, "Content-Type": kind})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        return answer.status, answer.headers, content

    def get(path):
        status, _, content = call("GET", path)
        assert status == 200, f"GET {path}: {status} {content[:300]!r}"
        return json.loads(content)

    def cells(rows):
        plain = base64.b64decode
        return [(plain(r["key"]), [(plain(c["column"]), plain(c["$"])) for c in r["Cell"]]) for r in rows["Row"]]

    def row(key, columns):
        return {"key": b64(key), "Cell": [{"column": b64(c), "$": b64(v)} for c, v in columns]}

    if call("GET", f"/{NAME}/exists")[0] == 200:
        call("DELETE", f"/{NAME}/schema")

    s.step("version, status, namespaces", lambda: (
        equal(call("GET", "/version/cluster", accept="text/plain")[2][:2], b"2."),
        equal(len(get("/status/cluster")["LiveNodes"]) > 0, True),
        equal("default" in get("/namespaces")["Namespace"], True),
    ))

    def create():
        schema = {"name": NAME, "ColumnSchema": [{"name": "f", "VERSIONS": "3"}, {"name": "g"}]}
        equal(call("PUT", f"/{NAME}/schema", json.dumps(schema))[0], 201)
        equal(NAME in [t["name"] for t in get("/")["table"]], True)
        found = {c["name"]: c["VERSIONS"] for c in get(f"/{NAME}/schema")["ColumnSchema"]}
        equal(found, {"f": "3", "g": "1"})

    s.step("create a table, list tables, schema", create)
    s.step("regions", lambda: equal([r["name"].split(",")[0] for r in get(f"/{NAME}/regions")["Region"]], [NAME]))

    def put():
        equal(call("PUT", f"/{NAME}/row1/f:a", b"\x00\xff", "application/octet-stream")[0], 200)
        equal(call("GET", f"/{NAME}/row1/f:a", accept="application/octet-stream")[2], b"\x00\xff")
        equal(call("GET", f"/{NAME}/none/f:a")[0], 404)

    s.step("put, get", put)

    def rows():
        many = {"Row": [row(f"row{i}".encode(), [(b"f:a", str(i).encode()), (b"g:b", b"b")]) for i in range(2, 6)]}
        equal(call("PUT", f"/{NAME}/fakerow", json.dumps(many))[0], 200)
        equal(cells(get(f"/{NAME}/row5")), [(b"row5", [(b"f:a", b"5"), (b"g:b", b"b")])])
        equal([key for key, _ in cells(get(f"/{NAME}/row*/f:a"))], [b"row1", b"row2", b"row3", b"row4", b"row5"])
        equal(cells(get(f"/{NAME}/multiget?row=row2&row=row3"))[1][0], b"row3")

    s.step("put many rows, get many", rows)

    def scanner():
        limits = {"batch": 2, "startRow": b64(b"row2"), "endRow": b64(b"row5"), "column": [b64(b"f:a")]}
        status, headers, content = call("PUT", f"/{NAME}/scanner", json.dumps(limits))
        assert status == 201, f"scanner: {status} {content[:300]!r}"
        path = "/" + headers["Location"].split("/", 3)[3]
        found = []
        while True:
            status, _, content = call("GET", path)
            if status == 204:
                break
            assert status == 200, f"GET {path}: {status} {content[:300]!r}"
            found += [key for key, _ in cells(json.loads(content))]
        equal(found, [b"row2", b"row3", b"row4"])
        equal(call("DELETE", path)[0], 200)

    s.step("scan a range with a scanner", scanner)
    s.step("scan without a scanner", lambda: equal(
        [key for key, _ in cells(get(f"/{NAME}/*?startrow=row2&limit=2&column=f:a"))], [b"row2", b"row3"]))

    def check():
        new = {"Row": [row(b"row2", [(b"f:a", b"new"), (b"f:a", b"2")])]}
        equal(call("PUT", f"/{NAME}/row2?check=put", json.dumps(new))[0], 200)
        equal(call("PUT", f"/{NAME}/row2?check=put", json.dumps(new))[0], 304)
        equal(cells(get(f"/{NAME}/row2/f:a")), [(b"row2", [(b"f:a", b"new")])])

    s.step("check and put", check)

    def delete():
        equal(call("DELETE", f"/{NAME}/row3/f:a")[0], 200)
        equal(cells(get(f"/{NAME}/row3")), [(b"row3", [(b"g:b", b"b")])])
        equal(call("DELETE", f"/{NAME}/row3")[0], 200)
        equal(call("GET", f"/{NAME}/row3")[0], 404)

    s.step("delete", delete)

    def drop():
        equal(call("DELETE", f"/{NAME}/schema")[0], 200)
        equal(call("GET", f"/{NAME}/schema")[0], 404)

    s.step("drop", drop)


main(int(sys.argv[1]))
