import { useState } from "react";

/** What a form without contract and draft sends, such as the sign-in: one call at a time. */
export interface Sending {
  readonly busy: boolean;
  /** Why the last call failed; null while there is nothing to say. */
  readonly problem: unknown;
  /** Resolves to whether it succeeded. Ignored while a call is under way. */
  send(work: () => Promise<unknown>): Promise<boolean>;
}

export function useSending(): Sending {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  return {
    busy,
    problem,
    async send(work) {
      if (busy) return false;
      setBusy(true);
      setProblem(null);
      try {
        await work();
        return true;
      } catch (failed) {
        setProblem(failed);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
