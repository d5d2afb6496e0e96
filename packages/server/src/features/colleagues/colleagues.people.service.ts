import type { Viewer } from "#core/actor.ts";
import type { OutputOf } from "#core/contract/index.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi, OnDuty } from "#features/duty/duty.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { GivenLabel } from "./colleagues.base.contract.ts";
import type { ColleagueRow } from "./colleagues.contract.ts";
import * as labels from "./colleagues.labels.repo.ts";
import { sees } from "./colleagues.policy.ts";
import { listNames, mostNames } from "./colleagues.names.contract.ts";
import { namesIn, type PersonRow } from "./colleagues.repo.ts";

export interface PeopleDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly duty: Pick<DutyApi, "of">;
  /** Of the DSN's `loc`. */
  readonly zone: string;
}

/** Colleagues as a viewer sees them. */
export class People {
  readonly #deps: PeopleDeps;
  /** Of `loc`. */
  readonly zone: Zone;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
    this.zone = new Zone(deps.zone);
  }

  lastDay(endsAt: number | null): string | null {
    return endsAt === null ? null : this.zone.dayOf(endsAt - 1);
  }

  given({ id, name, colour, icon, ends_at }: Omit<labels.HeldRow, "colleague_id">): GivenLabel {
    return { id, name, colour, icon, until: this.lastDay(ends_at) };
  }

  async names(viewer: Viewer): Promise<OutputOf<typeof listNames>> {
    return await this.#deps.db.read(listNames.id, async (tx) => ({ items: await namesIn(tx, viewer.job, mostNames) }));
  }

  /** In the order of the rows, cut to what the viewer sees. */
  async shown(tx: Tx, viewer: Viewer, rows: readonly PersonRow[]): Promise<ColleagueRow[]> {
    const { clock, duty, jobs } = this.#deps;
    const ids = rows.map(({ citizen_id }) => citizen_id);
    const seen = rows.filter((row) => sees(viewer, "labels", { id: row.citizen_id, grade: row.grade }));
    const held = Map.groupBy(
      await labels.heldBy(
        tx,
        seen.map(({ id }) => id),
        clock.now(),
      ),
      ({ colleague_id }) => colleague_id,
    );
    const context = { names: await namesOfCitizens(tx, ids), labels: await jobs.labels(tx), duty: await duty.of(tx, ids) };
    const withLabels = new Set(seen.map(({ id }) => id));
    return rows.map((row) => ({
      ...rowOf(row, context),
      ...(withLabels.has(row.id) ? { labels: (held.get(row.id) ?? []).map((one) => this.given(one)) } : {}),
    }));
  }
}

interface RowContext {
  readonly names: ReadonlyMap<number, string>;
  readonly labels: JobLabels;
  readonly duty: ReadonlyMap<number, OnDuty>;
}

function rowOf(row: PersonRow, { names, labels: jobs, duty }: RowContext): ColleagueRow {
  const now = duty.get(row.citizen_id);
  return {
    id: row.citizen_id,
    version: row.version,
    name: names.get(row.citizen_id) ?? "",
    prefix: row.name_prefix,
    suffix: row.name_suffix,
    job: jobs.badge(row.job, row.grade),
    since: row.since,
    onDuty: now?.job === row.job ? { since: now.since, state: now.state } : null,
  };
}
