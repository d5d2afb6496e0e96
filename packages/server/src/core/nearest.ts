/** Optimal string alignment distance: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The known name that the operator most likely meant, or null when none is close. */
export function nearestName(written: string, known: Iterable<string>): string | null {
  const wanted = written.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(written.length / 3)) + 1;
  for (const name of known) {
    if (Math.abs(name.length - written.length) >= bestDistance) continue;
    const d = distance(wanted, name.toLowerCase());
    if (d < bestDistance && d < name.length) {
      best = name;
      bestDistance = d;
    }
  }
  return best;
}
