"""Takes webhooks on a free port, which it says first, and believes those that the library verifies."""
import http.server, json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

def say(told):
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()

class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            told = Webhook(sys.argv[1]).verify(body, dict(self.headers))
            say({"id": self.headers["webhook-id"], "type": told["type"]})
            self.send_response(204)
        except WebhookVerificationError as error:
            say({"refused": str(error)})
            self.send_response(401)
        self.end_headers()

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
print(server.server_port, flush=True)
server.serve_forever()
