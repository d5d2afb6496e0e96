import type { Tx } from "#core/ports/index.ts";
import { reportingSources, silencesIn } from "./duty.history.repo.ts";
import { listSources } from "./duty.repo.ts";
import { callingSince, unknownIn } from "./duty.statistics.policy.ts";

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Three statements. */
export async function unknownTimes(tx: Tx, job: string, { from, to }: Interval): Promise<Interval[]> {
  const reporting = await reportingSources(tx, job, from);
  const gaps = {
    since: from,
    silences: await silencesIn(tx, { from, to }),
    sources: callingSince(await listSources(tx), from),
  };
  return unknownIn(reporting, gaps, { from, to })
    .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }))
    .filter((one) => one.from < one.to);
}
