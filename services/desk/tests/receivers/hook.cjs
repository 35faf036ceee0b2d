// Takes webhooks on a free port, which it says first, and believes those that the library verifies.
const http = require("node:http");
const { Webhook } = require("standardwebhooks");

const server = http.createServer((request, answer) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    try {
      const told = new Webhook(process.argv[2]).verify(Buffer.concat(parts).toString(), request.headers);
      console.log(JSON.stringify({ id: request.headers["webhook-id"], type: told.type }));
      answer.writeHead(204).end();
    } catch (error) {
      console.log(JSON.stringify({ refused: String(error) }));
      answer.writeHead(401).end();
    }
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
