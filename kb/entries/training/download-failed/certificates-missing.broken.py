# /// script
# requires-python = ">=3.10"
# dependencies = ["tensorflow==2.21.*"]
#
# [tool.tfhelp]
# timeout = 120
# needs = ["openssl"]
# ///
import http.server
import pathlib
import ssl
import subprocess
import threading

import keras

# A server whose traffic is signed with a root of the company, which this Python does not know.
options = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
subprocess.run(["openssl", *options.split(), "-keyout", "key.pem", "-out", "company-root.pem"], check=True, capture_output=True)
pathlib.Path("reviews.csv").write_text("label,text\n")
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("company-root.pem", "key.pem")
server = http.server.ThreadingHTTPServer(("localhost", 0), http.server.SimpleHTTPRequestHandler)
server.socket = context.wrap_socket(server.socket, server_side=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
path = keras.utils.get_file("reviews.csv", f"https://localhost:{server.server_port}/reviews.csv", cache_dir=".")
