import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors } from "./auth.contract.ts";
import { setSeeAs } from "./auth.repo.ts";

export interface SeeAsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  /** Every process forgets what it knew of these sessions. */
  readonly announce: (tx: Tx, sessionIds: readonly string[]) => Promise<void>;
}

const usualMinutes = 15;

/** Seeing with the eyes of a lower grade of the job, without leaving the session. */
export function createSeeAs(deps: SeeAsDeps) {
  return {
    async begin(call: CallContext, { grade, minutes = usualMinutes }: { grade: number; minutes?: number }) {
      const { job, sessionId, grade: own } = call.viewer();
      if (grade >= own) throw new AppError(authErrors.seeAsNotBelow, { params: { grade, own } });
      const until = deps.clock.now() + minutes * 60_000;
      await deps.db.write("auth.seeAs", async (tx) => {
        await setSeeAs(tx, sessionId, { job, grade, until });
        await deps.audit.record(tx, call.actor, {
          action: "auth.seeAs",
          object: { kind: "role", id: `${job}/${grade}` },
          info: { until },
        });
        await deps.announce(tx, [sessionId]);
      });
      return { grade, until };
    },

    async end(call: CallContext): Promise<void> {
      const { job, grade, sessionId } = call.viewer();
      await deps.db.write("auth.endSeeAs", async (tx) => {
        await setSeeAs(tx, sessionId, null);
        await deps.audit.record(tx, call.actor, { action: "auth.endSeeAs", object: { kind: "role", id: `${job}/${grade}` } });
        await deps.announce(tx, [sessionId]);
      });
    },
  };
}
