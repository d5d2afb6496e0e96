import type { Actor, Viewer } from "#core/actor.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallWork, CallWorked, WorkOnCall } from "./calls.api.ts";

/** Of a call that no unit has to do with. */
export const noWork: WorkOnCall = { progress: null, accepted: false, roles: [], units: [], takes: false, crew: false };

/** What units do about calls, as the feature says that knows. */
export class WorkOfCalls implements CallWork {
  #work: CallWork | null = null;

  register(work: CallWork): void {
    if (this.#work !== null) throw new Error("the work of calls is registered twice");
    this.#work = work;
  }

  async on(tx: Tx, viewer: Viewer, calls: readonly CallWorked[]): Promise<ReadonlyMap<number, WorkOnCall>> {
    return (await this.#work?.on(tx, viewer, calls)) ?? new Map<number, WorkOnCall>();
  }

  async ofCrew(tx: Tx, viewer: Viewer): Promise<readonly number[]> {
    return (await this.#work?.ofCrew(tx, viewer)) ?? [];
  }

  async ofUnit(tx: Tx, unitId: number, limit: number): Promise<readonly number[]> {
    return (await this.#work?.ofUnit(tx, unitId, limit)) ?? [];
  }

  async changed(tx: Tx, callId: number): Promise<void> {
    await this.#work?.changed(tx, callId);
  }

  async jobsAt(tx: Tx, callId: number): Promise<readonly string[]> {
    return (await this.#work?.jobsAt(tx, callId)) ?? [];
  }

  async isWorked(tx: Tx, callId: number): Promise<boolean> {
    return (await this.#work?.isWorked(tx, callId)) ?? false;
  }

  async merged(...[tx, actor, from, into]: Parameters<CallWork["merged"]>): Promise<void> {
    await this.#work?.merged(tx, actor, from, into);
  }

  async unmerged(...[tx, actor, fromId, intoId]: Parameters<CallWork["unmerged"]>): Promise<boolean> {
    return (await this.#work?.unmerged(tx, actor, fromId, intoId)) ?? true;
  }

  async split(...[tx, fromId, intoId, unitIds]: Parameters<CallWork["split"]>): Promise<boolean> {
    return (await this.#work?.split(tx, fromId, intoId, unitIds)) ?? unitIds.length === 0;
  }

  async ended(tx: Tx, actor: Actor, callId: number, how: "completed" | "cancelled"): Promise<void> {
    await this.#work?.ended(tx, actor, callId, how);
  }
}
