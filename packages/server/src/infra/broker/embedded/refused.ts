/** The store refuses a request; nothing was written for it. */
export class Refused extends Error {
  readonly kind: "conflict" | "position" | "other";
  constructor(kind: "conflict" | "position" | "other", message: string) {
    super(message);
    this.kind = kind;
  }
}
