// Who an account is at the identity provider: linked by the page of people where there is one to link to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { linkStep, rolesIn } from "../../../src/passline/web/static/office/provider.js";

const DEALER = { subject: "", roles: ["dealer"] };
const LINKED = { staff: ["dealer", "owner"], given: ["player", "dealer"] };

test("staff are linked where the house has a provider, and only there", () => {
  assert.equal(linkStep(DEALER, LINKED), "link");
  assert.equal(linkStep(DEALER, null), "");
  assert.equal(linkStep({ ...DEALER, roles: ["player", "dealer"] }, LINKED), "link");
});

test("players are not linked, nor owners, whom no group makes", () => {
  assert.equal(linkStep({ ...DEALER, roles: ["player"] }, LINKED), "");
  assert.equal(linkStep({ ...DEALER, roles: ["dealer", "owner"] }, LINKED), "");
});

test("whoever is linked is unlinked, also after the house has given the provider up", () => {
  assert.equal(linkStep({ ...DEALER, subject: "248289761001" }, LINKED), "unlink");
  assert.equal(linkStep({ ...DEALER, subject: "248289761001" }, null), "unlink");
});

test("a group may have an equals sign in its name", () => {
  assert.deepEqual(rolesIn("cn=pit,dc=casino = dealer\n\n"), [{ group: "cn=pit,dc=casino", role: "dealer" }]);
});
