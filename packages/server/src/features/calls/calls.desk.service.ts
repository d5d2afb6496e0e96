import type { Tx } from "#core/ports/index.ts";
import type { CallDesk } from "./calls.api.ts";

/** Who dispatches a job at this moment, as the feature says that knows. Without it nobody is signed on. */
export class DeskOfCalls implements CallDesk {
  #desk: CallDesk | null = null;

  register(desk: CallDesk): void {
    if (this.#desk !== null) throw new Error("the desk of calls is registered twice");
    this.#desk = desk;
  }

  async signedOn(tx: Tx, job: string): Promise<readonly number[]> {
    return (await this.#desk?.signedOn(tx, job)) ?? [];
  }
}
