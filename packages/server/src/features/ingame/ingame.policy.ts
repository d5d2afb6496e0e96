import { mostToasts, toastMs } from "./ingame.contract.ts";

/** What a character got lately. */
export interface Toasts {
  /** When the last ones were sent. */
  readonly sent: readonly number[];
  /** How many were too many since the last one. */
  readonly missed: number;
}

/** Whether one more may be sent now, and what is known of the character then. */
export function oneMore({ sent, missed }: Toasts, now: number): { readonly sends: boolean; readonly after: Toasts } {
  const lately = sent.filter((at) => now - at < toastMs);
  if (lately.length >= mostToasts) return { sends: false, after: { sent: lately, missed: missed + 1 } };
  return { sends: true, after: { sent: [...lately, now], missed: 0 } };
}

/** At most so many characters; what is cut ends with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  // Half of a pair would be no character.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
