import type { Fetch } from "#core/transport.ts";

/** The call that `begin.js` made before the first paint. */
interface Begun {
  readonly method: string;
  readonly url: string;
  readonly body?: string;
  readonly answer: Promise<Response>;
  stop(): void;
}

declare global {
  var rollcallBegun: Begun | undefined;
}

/** `fetch`, whose first call takes over what was begun if it is the same. */
export function takingBegun(fetch: Fetch): Fetch {
  return (url, init, operation) => {
    const begun = globalThis.rollcallBegun;
    globalThis.rollcallBegun = undefined;
    if (begun?.url !== url || begun.method !== init.method || begun.body !== (init.body ?? undefined))
      return fetch(url, init, operation);
    init.signal?.addEventListener("abort", () => begun.stop(), { once: true });
    return begun.answer;
  };
}
