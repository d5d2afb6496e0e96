const pollMs = 25;

/** Polls external state that sends no events, until `read` returns a value. */
export async function until<T>(
  what: string,
  read: () => T | Promise<T>,
  limitMs = 15_000,
): Promise<NonNullable<T> & Exclude<T, false>> {
  const end = performance.now() + limitMs;
  for (;;) {
    const seen = await read();
    if (seen !== false && seen !== null && seen !== undefined) return seen as NonNullable<T> & Exclude<T, false>;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
