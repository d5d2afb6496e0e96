import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

/** Somebody who dispatches now. */
export interface SignedOn {
  readonly citizenId: number;
  /** Milliseconds UTC. */
  readonly since: number;
}

export interface DeskApi {
  /**
   * Who of a job is signed on and may dispatch calls: a desk of theirs is open, and they are on duty in the job or may
   * dispatch without. Who is there longest comes first. Also right while the server was down: a window that nothing keeps open has ended by time.
   */
  dispatchersOf(tx: Tx, job: string): Promise<SignedOn[]>;
}

export const deskApi = apiToken<DeskApi>("desk");
