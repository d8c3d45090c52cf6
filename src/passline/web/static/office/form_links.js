// Links to forms as they are printed: as a page for any printer of the browser, or as a PDF.

import { el } from "../elements.js";
import { here } from "./book.js";

/**
 * A link to a form with all its copies.
 *
 * @param {string} key
 * @param {string} number of its thing or act, or of a log the gaming day
 * @param {"html" | "pdf"} kind
 * @param {string} text
 */
export const formLink = (key, number, kind, text) =>
  el(
    "a",
    {
      class: "button",
      href: `/api/office/${here.office}/forms/${key}/${encodeURIComponent(number)}.${kind}`,
      target: "_blank",
      rel: "noopener",
    },
    text,
  );
