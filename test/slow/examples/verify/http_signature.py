"""Says of each webhook (a JSON line) whether http-message-signatures takes it."""
import base64, datetime, json, sys
from types import SimpleNamespace
from cryptography.hazmat.primitives.asymmetric import ec
from http_message_signatures import HTTPMessageVerifier, HTTPMessageSignaturesException, HTTPSignatureKeyResolver, algorithms


def number(text):
    return int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")


class KeySet(HTTPSignatureKeyResolver):
    def __init__(self, keys):
        self.keys = {key["kid"]: key for key in keys}

    def resolve_public_key(self, key_id):
        key = self.keys[key_id]
        return ec.EllipticCurvePublicNumbers(number(key["x"]), number(key["y"]), ec.SECP256R1()).public_key()


for line in sys.stdin:
    given = json.loads(line)
    verifier = HTTPMessageVerifier(signature_algorithm=algorithms.ECDSA_P256_SHA256, key_resolver=KeySet(given["keys"]))
    request = SimpleNamespace(method="POST", url=given["url"], headers=given["headers"])
    try:
        verifier.verify(
            request,
            max_age=datetime.timedelta(minutes=5),
            require_components=("@method", "@authority", "@path", "@query", "content-digest", "webhook-id"),
            body=given["body"].encode(),
        )
        print("true")
    except (HTTPMessageSignaturesException, KeyError):
        print("false")
