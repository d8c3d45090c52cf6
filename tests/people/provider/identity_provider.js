// A real identity provider for the tests: node identity_provider.js PORT REDIRECT. It reads orders from its input:
// {"people": {...}} is who there is, {"keys": "new"} replaces its keys, {"forge": KIND} has it send wrong id tokens.

import { createInterface } from "node:readline";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { errors, Provider } from "oidc-provider";

const [port, redirect] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
let people = {};
let forge = "";
let key;
let listening;

async function begin() {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  key = { private: privateKey, id: `key-${Date.now()}` };
  const jwk = { ...(await exportJWK(privateKey)), kid: key.id, alg: "RS256", use: "sig" };
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "passline",
        client_secret: "a secret of both",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    jwks: { keys: [jwk] },
    claims: { openid: ["sub"], profile: ["name", "groups"] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
    ttl: { AccessToken: 600, IdToken: 3600, RefreshToken: 3600, Grant: 3600, Session: 3600, Interaction: 600 },
    cookies: { keys: ["only for tests"] },
    async findAccount(_context, id) {
      return people[id] && { accountId: id, claims: async () => ({ sub: id, ...people[id] }) };
    },
  });
  provider.use(async (context, next) => {
    await next();
    if (forge && context.path === "/token" && context.body?.id_token) {
      context.body.id_token = await forged(context.body.id_token);
    }
  });
  if (listening) await new Promise((done) => listening.close(done) || listening.closeAllConnections());
  listening = provider.listen(Number(port), "127.0.0.1");
  await new Promise((done) => listening.once("listening", done));
}

/** Return an id token like a good one, with one thing wrong. */
async function forged(token) {
  const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  if (forge === "unsigned") return `${part({ alg: "none" })}.${part(claims)}.`;
  const other = (await generateKeyPair("RS256")).privateKey;
  const wrong = {
    audience: { aud: "another client" },
    issuer: { iss: "https://another.example" },
    nonce: { nonce: "of another log-in" },
    expired: { iat: claims.iat - 7200, exp: claims.exp - 7200 },
    key: {},
  }[forge];
  const signing = forge === "key" ? other : key.private;
  return new SignJWT({ ...claims, ...wrong }).setProtectedHeader({ alg: "RS256", kid: key.id }).sign(signing);
}

process.on("unhandledRejection", (error) => {
  if (!(error instanceof errors.OIDCProviderError)) throw error;
});
await begin();
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  people = order.people ?? people;
  forge = order.forge ?? forge;
  if (order.keys) await begin();
  console.log("done");
}
process.exit(0);
