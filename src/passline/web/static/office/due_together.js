// Deadlines as Today counts and lists them.

/**
 * Deadlines, those of several things that end together as one; overdue ones first, then by time.
 *
 * @param {Server.Due[]} all
 * @returns {Server.Due[][]}
 */
export function dueTogether(all) {
  /** @type {Map<string, Server.Due[]>} */
  const groups = new Map();
  for (const deadline of all) {
    const key = JSON.stringify([deadline.clock, deadline.due, deadline.is_overdue, deadline.about.split("/")[0]]);
    groups.set(key, [...(groups.get(key) ?? []), deadline]);
  }
  return [...groups.values()].sort(
    ([deadline], [other]) =>
      Number(other.is_overdue) - Number(deadline.is_overdue) || (deadline.due || "9").localeCompare(other.due || "9"),
  );
}
