const pollMs = 25;

/** Looks again and again at something outside that tells nothing by itself, until it gives a value. */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  limitMs = 15_000,
): Promise<NonNullable<T> & Exclude<T, false>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await look();
    if (seen !== false && seen !== null && seen !== undefined) return seen as NonNullable<T> & Exclude<T, false>;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
