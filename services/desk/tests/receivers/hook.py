"""Takes webhooks on a free port, which it says first, and believes those that the library verifies."""
import http.server, json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

class Hook(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            told = Webhook(sys.argv[1]).verify(body, dict(self.headers))
            print(json.dumps({"id": self.headers["webhook-id"], "type": told["type"]}), flush=True)
            self.send_response(204)
        except WebhookVerificationError as error:
            print(json.dumps({"refused": str(error)}), flush=True)
            self.send_response(401)
        self.end_headers()

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
print(server.server_port, flush=True)
server.serve_forever()
