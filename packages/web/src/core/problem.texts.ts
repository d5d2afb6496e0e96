import { type Clock, systemClock } from "#core/clock.ts";
import { loadErrorText } from "#core/i18n.ts";
import type { Problem } from "#core/problem.ts";

/** A failure is shown by its code rather than later than this. Milliseconds. */
const AT_MOST = 3_000;

/** Resolves with the same problem once its text can be shown, or could not be loaded. */
export async function withText(
  problem: Problem,
  { clock = systemClock, load = loadErrorText }: { readonly clock?: Clock; readonly load?: typeof loadErrorText } = {},
): Promise<Problem> {
  let cancel = () => {};
  const late = new Promise<void>((resolve) => (cancel = clock.after(AT_MOST, resolve)));
  await Promise.race([load(problem.code).catch(() => undefined), late]);
  cancel();
  return problem;
}
