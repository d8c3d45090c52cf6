// Who an account is at the identity provider: linked by the page of people where there is one to link to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linkStep, rolesIn } from "../../../src/passline/web/static/office/provider.js";

const DEALER = { subject: "", roles: ["dealer"] };

test("staff are linked where the house has a provider, and only there", () => {
  assert.equal(linkStep(DEALER, true), "link");
  assert.equal(linkStep(DEALER, false), "");
  assert.equal(linkStep({ ...DEALER, roles: ["player", "dealer"] }, true), "link");
});

test("players are not linked, nor owners, whom no group makes", () => {
  assert.equal(linkStep({ ...DEALER, roles: ["player"] }, true), "");
  assert.equal(linkStep({ ...DEALER, roles: ["dealer", "owner"] }, true), "");
});

test("whoever is linked is unlinked, also after the house has given the provider up", () => {
  assert.equal(linkStep({ ...DEALER, subject: "248289761001" }, true), "unlink");
  assert.equal(linkStep({ ...DEALER, subject: "248289761001" }, false), "unlink");
});

test("a group may have an equals sign in its name", () => {
  assert.deepEqual(rolesIn("cn=pit,dc=casino = dealer\n\n"), [{ group: "cn=pit,dc=casino", role: "dealer" }]);
});
