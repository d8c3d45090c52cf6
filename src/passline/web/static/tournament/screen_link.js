// The link to the big screen: a device in the room opens it without a log-in, and sees what the room may see.

import { buttonFor, copyButton, el, hintText } from "../elements.js";
import { post } from "../http.js";
import { api, doing, panel, say } from "./common.js";

/** A panel that makes the link and ends it. */
export function screenPanel() {
  const shown = el("div", { "aria-live": "polite" });
  const make = () =>
    doing("Link for the big screen", async () => {
      const { path } = await post(api("/screen"), {});
      const address = `${location.origin}${path}`;
      shown.replaceChildren(
        el("p", {}, el("code", { id: "screen-address", class: "link-text" }, address)),
        el("div", { class: "buttons" }, copyButton(address, "Copy the link")),
        hintText("It is shown only now. Whoever has it sees the board of this tournament, and nothing else."),
      );
    });
  const revoke = () =>
    doing("End the link", async () => {
      const { was_there: wasThere } = await post(api("/screen/revoke"), {});
      shown.replaceChildren();
      say([wasThere ? "The link shows nothing any more." : "There was no link."]);
    });
  return panel(
    "screen-link",
    "Big screen",
    hintText("A screen in the room needs no log-in: open this link on it. A new link ends the one before."),
    el(
      "div",
      { class: "buttons" },
      buttonFor("Make a link", make),
      buttonFor("End the link", revoke, { class: "plain" }),
    ),
    shown,
  );
}
