import { mostToasts, toastMs } from "./ingame.contract.ts";

/** What a character got lately. */
export interface Toasts {
  /** When the last ones were sent. */
  readonly sent: readonly number[];
  /** How many were too many or too late since the last one. */
  readonly missed: number;
}

/** How long a toast of this instant is still news. Milliseconds. */
export function leftMs(at: number, now: number): number {
  return Math.min(Math.max(0, at + toastMs - now), toastMs);
}

export type ToastOutcome = "sent" | "late" | "tooMany";

/** What becomes of one more toast, made at `at`, and what is known of the character then. */
export function oneMore(
  { sent, missed }: Toasts,
  at: number,
  now: number,
): { readonly outcome: ToastOutcome; readonly after: Toasts } {
  const lately = sent.filter((one) => now - one < toastMs);
  if (leftMs(at, now) === 0) return { outcome: "late", after: { sent: lately, missed: missed + 1 } };
  if (lately.length >= mostToasts) return { outcome: "tooMany", after: { sent: lately, missed: missed + 1 } };
  return { outcome: "sent", after: { sent: [...lately, now], missed: 0 } };
}

/** At most so many characters; what is cut ends with an ellipsis. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 1);
  // Half of a pair would be no character.
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
