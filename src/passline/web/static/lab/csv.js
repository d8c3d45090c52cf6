// Figures as a file of comma-separated values (RFC 4180).

/**
 * @param {(string | number | null | undefined)[][]} rows
 * @returns {string}
 */
export const csvOf = (rows) =>
  rows
    .map((row) => row.map(cellText).join(","))
    .join("\r\n")
    .concat("\r\n");

/**
 * A cell; a text that a spreadsheet would take for a formula is quoted with an apostrophe before it.
 *
 * @param {string | number | null | undefined} value
 */
function cellText(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A name that any file may have.
 *
 * @param {string} text
 */
export const fileName = (text) =>
  text
    .normalize("NFKD")
    .replaceAll(/[^\w]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase() || "laboratory";
