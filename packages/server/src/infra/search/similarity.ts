/**
 * Edits (insert, delete, replace, swap neighbours) that turn `a` into `b`; `limit + 1` when there
 * are more than `limit`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

function editsAllowed(length: number): number {
  if (length < 4) return 0;
  return length < 6 ? 1 : 2;
}

/** Lower scores do not count as a match. */
export const minimumScore = 0.45;

/** From this score on the typed text begins the word. */
export const startsLike = 0.84;
/** From this score on the typed text is a part of the code. */
export const isPartOfCode = 0.75;

/** How well the typed `part` matches the stored `word`: 1 equal, 0 not at all. */
export function wordMatch(part: string, word: string): number {
  if (part === word) return 1;
  if (word.startsWith(part)) return startsLike + 0.1 * (part.length / word.length);
  const allowed = editsAllowed(Math.min(part.length, word.length));
  const edits = allowed > 0 ? editDistance(part, word, allowed) : allowed + 1;
  if (edits <= allowed) {
    const firstDiffers = part[0] !== word[0] ? 0.04 : 0;
    return (edits === 1 ? 0.8 : 0.58) - firstDiffers;
  }
  if (part.length >= 3 && word.includes(part)) return 0.6 + 0.1 * (part.length / word.length);
  // A prefix with one typo, while the rest is not typed yet.
  if (part.length >= 5 && word.length > part.length && editDistance(part, word.slice(0, part.length), 1) <= 1) return 0.55;
  return 0;
}

/** How well `part` matches a part of `code`; tolerates a typo in a long one. */
export function codeMatch(part: string, code: string): number {
  if (part === code) return 1;
  if (part.length < 2) return 0;
  const share = part.length / code.length;
  if (code.startsWith(part)) return 0.85 + 0.1 * share;
  if (part.length >= 3 && code.includes(part)) return 0.8 + 0.1 * share;
  // `0151...` within `+49151...`: the leading zero replaces the country code.
  if (/^0\d{4,}$/.test(part) && code.includes(part.slice(1))) return isPartOfCode + 0.1 * share;
  return part.length >= 5 && editDistance(part, code, 1) <= 1 ? 0.6 : 0;
}
