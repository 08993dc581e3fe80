from flask import Flask, request
from inbox import receive

app = Flask(__name__)


@app.post("/")
def webhook():
    # Not request.get_json(): what is signed are the bytes.
    return "", receive(request.get_data(), request.headers)
