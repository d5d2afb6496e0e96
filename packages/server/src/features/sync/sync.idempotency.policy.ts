import type { KeyedCall } from "#core/ports/index.ts";

/** The longest answer that is kept, in characters: more than any batch answers. */
export const mostAnswerCharacters = 512 * 1024;

/** The status of a call that has reserved its key and not ended. Programs before it take its answer for too large, and do not run it again either. */
export const unfinished = 0;

export function fits(body: string | null): boolean {
  return body === null || body.length <= mostAnswerCharacters;
}

export function isRepetition(
  stored: { readonly operation: string; readonly input: string },
  call: Pick<KeyedCall, "operation" | "input">,
): boolean {
  return stored.operation === call.operation && stored.input === call.input;
}
