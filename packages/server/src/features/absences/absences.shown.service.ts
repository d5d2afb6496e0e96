import type { Viewer } from "#core/actor.ts";
import type { Approvals, Clock, Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Absence } from "./absences.base.contract.ts";
import { absenceApproval, mostWaiting } from "./absences.contract.ts";
import { type KindRow, kindsById } from "./absences.kinds.repo.ts";
import type { AbsenceState } from "./absences.machine.ts";
import { endedFrom, reachOfDetails, reachOfEntering, type Span } from "./absences.policy.ts";
import type { AbsenceRow, Between, Seeing, SeenRow } from "./absences.repo.ts";

export const stateOf = (row: Pick<AbsenceRow, "state">) => row.state as AbsenceState;

export interface ShownDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly approvals: () => Approvals;
  /** Of the DSN's `loc`. */
  readonly zone: string;
}

/** Absences as a viewer sees them, and the days of `loc`. */
export class ShownAbsences {
  readonly #deps: ShownDeps;
  readonly #zone: Zone;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
    this.#zone = new Zone(deps.zone);
  }

  today(): string {
    return this.#zone.dayOf(this.#deps.clock.now());
  }

  between({ firstDay, lastDay }: Span): Between {
    return { from: this.#zone.startOf(firstDay), until: this.#zone.endOf(lastDay) };
  }

  /** What the viewer sees of others, with the requests that wait for them. */
  async seeing(tx: Tx, viewer: Viewer): Promise<Seeing> {
    const actor = { kind: "character", ...viewer } as const;
    // One more than are shown, which says that there are more.
    const subjects = await this.#deps.approvals().waitingFor(tx, actor, absenceApproval, mostWaiting + 1);
    const { characterId, job } = viewer;
    const [reach, entering] = [reachOfDetails(viewer), reachOfEntering(viewer)];
    return { characterId, job, reach, entering, decides: subjects.map(Number) };
  }

  /** In the order of the rows. */
  async shown(tx: Tx, seeing: Seeing, rows: readonly SeenRow[]): Promise<Absence[]> {
    const ids = rows.flatMap((row) => [row.citizen_id, row.substitute_id ?? 0, row.decided_by ?? 0]);
    const names = await namesOfCitizens(
      tx,
      [...new Set(ids)].filter((id) => id > 0),
    );
    const kinds = await kindsById(tx, [...new Set(rows.flatMap(({ kind_id }) => kind_id ?? []))]);
    const labels = await this.#deps.jobs.labels(tx);
    const today = this.today();
    const personOf = (id: number) => ({ id, name: names.get(id) ?? `CIT-${id}` });
    return rows.map((row) => ({
      id: row.id,
      version: row.version,
      citizen: { ...personOf(row.citizen_id), job: labels.badge(row.job, row.grade ?? 0) },
      firstDay: row.first_day,
      lastDay: row.last_day,
      state: stateOf(row),
      substitute: row.substitute_id === null ? null : personOf(row.substitute_id),
      createdAt: row.created_at,
      ...(Number(row.seen) === 1 ? detailsOf(row, kinds, names) : {}),
      may: mayOf(row, seeing, today),
    }));
  }
}

/** Null for the kind that comes with Rollcall. */
export function shownKind(kinds: ReadonlyMap<number, KindRow>, id: number | null): NonNullable<Absence["kind"]> | null {
  const kind = id === null ? undefined : kinds.get(id);
  return kind === undefined ? null : { id: kind.id, name: kind.name, colour: kind.colour, icon: kind.icon };
}

function detailsOf(row: SeenRow, kinds: ReadonlyMap<number, KindRow>, names: ReadonlyMap<number, string>) {
  return {
    kind: shownKind(kinds, row.kind_id),
    reason: row.reason,
    decision:
      row.decided_at === null
        ? null
        : {
            at: row.decided_at,
            by: row.decided_by === null ? null : (names.get(row.decided_by) ?? null),
            reason: row.decision_reason,
          },
  };
}

function mayOf(row: SeenRow, { characterId, job, decides, entering }: Seeing, today: string): Absence["may"] {
  const ending = { firstDay: row.first_day, lastDay: row.last_day, state: stateOf(row) };
  const isEntered = Number(row.entered) === 1 && row.job === job && row.grade !== null && row.grade <= (entering.upTo ?? -1);
  const cancels = (row.citizen_id === characterId || isEntered) && endedFrom(ending, today) !== null;
  const decided = row.state === "requested" && decides.includes(row.id);
  return [...(cancels ? (["cancel"] as const) : []), ...(decided ? (["decide"] as const) : [])];
}
