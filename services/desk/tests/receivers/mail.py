"""Takes mail on a free port, which it says first, and says what came."""
import asyncio, email, email.policy, json
from aiosmtpd.smtp import SMTP

class Takes:
    async def handle_DATA(self, server, session, envelope):
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        told = {"id": mail["message-id"].strip("<>").split("@")[0], "to": envelope.rcpt_tos, "subject": mail["subject"],
                "thread": mail["references"].strip("<>").split("@")[0], "text": mail.get_content()}
        print(json.dumps(told), flush=True)
        return "250 taken"

async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(Takes(), enable_SMTPUTF8=True), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
