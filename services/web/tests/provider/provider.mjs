// A provider of OpenID Connect: oidc-provider, which is certified, with three people and their groups. What it is told by
// POST /twist it does wrong once: one thing about one token, which is signed with its own key all the same.
//
// usage: provider.mjs MODULES CALLBACK
// writes its port on the first line

import { generateKeyPairSync, sign } from "node:crypto";
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [modules, callback] = process.argv.slice(2);
const found = createRequire(`${modules}/`).resolve("oidc-provider");
const { default: Provider } = await import(pathToFileURL(found).href);

const people = {
  anna: { preferred_username: "Anna@ieb.example", name: "Anna Lee", groups: ["ieb", "cooks"] },
  bert: { preferred_username: "bert@ieb.example", name: "Bert", groups: ["cooks"] },
  carl: { preferred_username: "carl@ieb.example", name: "Carl" },
  dora: { preferred_username: "local", name: "Dora", groups: ["ieb"] },
};

const pair = (kid) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
};
const key = pair("house-1");
const strange = pair("house-1");

const base64 = (value) => Buffer.from(value).toString("base64url");
const signed = (header, claims, jwk) => {
  const text = `${base64(JSON.stringify(header))}.${base64(JSON.stringify(claims))}`;
  return `${text}.${base64(sign("sha256", Buffer.from(text), { key: jwk, format: "jwk" }))}`;
};
const hmac = async (header, claims) => {
  const { createHmac, createPublicKey } = await import("node:crypto");
  const text = `${base64(JSON.stringify(header))}.${base64(JSON.stringify(claims))}`;
  const secret = createPublicKey({ key, format: "jwk" }).export({ format: "pem", type: "spki" });
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};

const now = () => Math.floor(Date.now() / 1000);
const twists = {
  audience: (claims) => ({ ...claims, aud: "another" }),
  audiences: (claims) => ({ ...claims, aud: ["catwalk", "another"] }),
  party: (claims) => ({ ...claims, aud: ["catwalk", "another"], azp: "another" }),
  issuer: (claims) => ({ ...claims, iss: "http://127.0.0.1:1" }),
  expired: (claims) => ({ ...claims, iat: now() - 900, exp: now() - 300 }),
  endless: ({ exp, ...claims }) => claims,
  future: (claims) => ({ ...claims, iat: now() + 900, exp: now() + 1800 }),
  nonce: (claims) => ({ ...claims, nonce: "of another sign-in" }),
  nonceless: ({ nonce, ...claims }) => claims,
  subjectless: ({ sub, ...claims }) => claims,
  somebody: (claims) => ({ ...claims, sub: "somebody else" }),
  groups: (claims) => ({ ...claims, groups: { ieb: true } }),
};
const forge = async (token, twist) => {
  const [header, claims] = token.split(".").slice(0, 2).map((part) => JSON.parse(Buffer.from(part, "base64url")));
  switch (twist) {
    case "signature":
      return signed(header, { ...claims, groups: ["ieb"] }, strange);
    case "altered":
      return `${token.split(".")[0]}.${base64(JSON.stringify({ ...claims, groups: ["bosses"] }))}.${token.split(".")[2]}`;
    case "none":
      return `${base64(JSON.stringify({ alg: "none" }))}.${base64(JSON.stringify(claims))}.`;
    case "hmac":
      return hmac({ ...header, alg: "HS256" }, claims);
    case "critical":
      return signed({ ...header, crit: ["exp"] }, claims, key);
    case "key":
      return signed({ ...header, kid: "house-2" }, claims, key);
    default:
      return signed(header, twists[twist](claims), key);
  }
};

const server = createServer().listen(0, "127.0.0.1");
await new Promise((listening) => server.once("listening", listening));
const { port } = server.address();
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "catwalk",
      client_secret: "a secret: with / signs & more",
      redirect_uris: [callback],
      response_types: ["code"],
      grant_types: ["authorization_code", "client_credentials"],
    },
  ],
  jwks: { keys: [key] },
  cookies: { keys: ["some key"] },
  claims: { openid: ["sub"], profile: ["preferred_username", "name", "groups"] },
  pkce: { required: () => true },
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => undefined,
      getResourceServerInfo: (_, resource) => ({ scope: "ask", audience: resource, accessTokenFormat: "jwt" }),
    },
    clientCredentials: { enabled: true },
  },
  scopes: ["openid", "profile", "ask"],
  extraTokenClaims: (_, token) =>
    token.kind === "ClientCredentials" ? { sub: "robot", preferred_username: "robot@ieb.example", groups: ["ieb"] } : {},
  findAccount: (_, id) => people[id] && { accountId: id, claims: () => ({ sub: id, ...people[id] }) },
});

let twist = "";
const answer = provider.callback();
server.on("request", (request, response) => {
  const { pathname, searchParams } = new URL(request.url, issuer);
  if (pathname === "/twist") {
    twist = searchParams.get("to") ?? "";
    response.end();
    return;
  }
  if (pathname === "/person") {
    people[searchParams.get("id")].groups = searchParams.getAll("group");
    response.end();
    return;
  }
  if (pathname === "/token" && twist !== "") {
    const end = response.end.bind(response);
    const wrong = twist;
    twist = "";
    response.end = (body) => {
      const given = JSON.parse(body);
      const named = given.id_token ? "id_token" : "access_token";
      forge(given[named], wrong).then((token) => {
        const text = JSON.stringify({ ...given, [named]: token });
        response.setHeader("content-length", Buffer.byteLength(text));
        end(text);
      });
      return response;
    };
  }
  answer(request, response);
});
console.log(port);
