/** The store's answer to a request that cannot be met; nothing was written for it. */
export class Refused extends Error {
  readonly kind: "conflict" | "position" | "other";
  constructor(kind: "conflict" | "position" | "other", message: string) {
    super(message);
    this.kind = kind;
  }
}
