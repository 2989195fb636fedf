"""Packs what is published for WASI hosts as an OCI layout: `oci.py OUT TAG=FILE …`, one artefact a file.

Decides the form alone: one layer of WebAssembly with the config that registries of components read.
"""

import hashlib
import json
import shutil
import sys
from pathlib import Path

CONFIG = "application/vnd.wasm.config.v0+json"
LAYER = "application/wasm"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"


def main(out, artefacts):
    out = Path(out)
    shutil.rmtree(out, ignore_errors=True)
    (out / "blobs/sha256").mkdir(parents=True)
    manifests = [artefact(out, *one.split("=", 1)) for one in artefacts]
    index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": manifests}
    write(out / "index.json", index)
    write(out / "oci-layout", {"imageLayoutVersion": "1.0.0"})


def artefact(out, tag, file):
    wasm = Path(file).read_bytes()
    assert wasm[:8] == b"\0asm\x0d\0\x01\0", f"{file} is no component"
    layer = blob(out, LAYER, wasm)
    # The moment is left out of what is made of the same bytes every time.
    config = {"created": "1970-01-01T00:00:00Z", "architecture": "wasm", "os": "wasip2", "layerDigests": [layer["digest"]]}
    config = blob(out, CONFIG, text(config))
    title = {"org.opencontainers.image.title": Path(file).name, "org.opencontainers.image.licenses": "Apache-2.0"}
    manifest = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer], "annotations": title}
    return blob(out, MANIFEST, text(manifest)) | {"annotations": {"org.opencontainers.image.ref.name": tag}}


def blob(out, kind, data):
    digest = hashlib.sha256(data).hexdigest()
    (out / "blobs/sha256" / digest).write_bytes(data)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(data)}


def text(value):
    return json.dumps(value, indent=2, sort_keys=True).encode()


def write(path, value):
    path.write_bytes(text(value) + b"\n")


main(sys.argv[1], sys.argv[2:])
